'use client';
/** Code mode for React: hook, provider, approval dialog, trace. Importing it starts nothing and needs no DOM. */
export { ApprovalBar } from './react/approval/ApprovalBar.tsx';
export { ApprovalDialog } from './react/approval/ApprovalDialog.tsx';
export { ApprovalInline } from './react/approval/ApprovalInline.tsx';
export type { ApprovalBarProps } from './react/approval/ApprovalBar.tsx';
export type { ApprovalDialogProps } from './react/approval/ApprovalDialog.tsx';
export type { ApprovalInlineProps } from './react/approval/ApprovalInline.tsx';
export {
  ApprovalHeader,
  ApprovalIntent,
  ApprovalProgram,
  ApprovalQuestion,
  ApprovalQueue,
} from './react/approval/ApprovalParts.tsx';
export { ApprovalActions } from './react/approval/ApprovalActions.tsx';
export { ApprovalInput } from './react/approval/ApprovalInput.tsx';
export { GrantList } from './react/approval/GrantList.tsx';
export type { GrantListProps } from './react/approval/GrantList.tsx';
export { useApproval } from './react/approval/use-approval.ts';
export { useGrants } from './react/approval/use-grants.ts';
export type { Grants } from './react/approval/use-grants.ts';
export { useUndo } from './react/approval/use-undo.ts';
export type { RunUndo } from './react/approval/use-undo.ts';
export type { GuardPolicy } from './react/approval/guard.ts';
export type { DecisionProps, Guard } from './react/approval/use-guard.ts';
export type { ApprovalRequest, PlanRequest } from './react/approval/asked.ts';
export type { AllowOptions, Decisions } from './react/approval/decide.ts';
export type { Approval, ApprovalOptions } from './react/approval/use-approval.ts';
export { CodeModeProvider } from './react/CodeModeProvider.tsx';
export type { CodeModeProviderProps } from './react/CodeModeProvider.tsx';
export { defaultLabels } from './react/labels.ts';
export type { Labels } from './react/labels.ts';
export { germanLabels } from './react/labels-de.ts';
export { exportCall, exportRun } from './react/trace/export-run.ts';
export type { ExportOptions } from './react/trace/export-run.ts';
export type { TraceSource } from './react/trace/trace-source.ts';
export { CodeModeRun } from './react/trace/CodeModeRun.tsx';
export type { CodeModeRunProps } from './react/trace/CodeModeRun.tsx';
export { TracePanel } from './react/trace/TracePanel.tsx';
export type { TracePanelProps } from './react/trace/TracePanel.tsx';
export { usePerformanceMeasures } from './react/use-performance-measures.ts';
export { useCodeMode } from './react/use-code-mode.ts';
export type { AttachedCodeModeOptions, CodeModeHandle, OwnedCodeModeOptions } from './react/use-code-mode.ts';
export { useSession } from './react/use-session.ts';
export { usePending, useRuns, useTrace } from './react/use-trace.ts';
export { useTimeTravel } from './react/use-time-travel.ts';
export type { TimeTravel, TimeTravelOptions } from './react/use-time-travel.ts';
export type { SessionChoice, TraceChoice } from './react/use-trace.ts';
export * from './core.ts';
