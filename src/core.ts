/** Code mode without React: sessions, runs, tools, policy, journal. Starts nothing when imported. */
export { createWebWorkerExecutor } from './bridge/web-worker-executor.ts';
export type { WebWorkerExecutorOptions } from './bridge/web-worker-executor.ts';
export type { Executor, ToolHost } from './bridge/executor.ts';
export { defineTool } from './catalog/tool.ts';
export type {
  JsonSchema,
  Progress,
  Risk,
  Tool,
  ToolAnnotations,
  ToolCallContext,
  ToolOrigin,
  ToolSchema,
  ToolSelector,
  ToolSource,
} from './catalog/tool.ts';
export { CodeModeError, EnvironmentError, InvalidOptionsError, isCodeModeError, ToolError } from './errors.ts';
export type { ErrorCode, ErrorData } from './errors.ts';
export type {
  CallError,
  DecidedBy,
  EventData,
  EventOf,
  EventType,
  GrantMatch,
  GrantScope,
  JournalEvent,
  PlannedTool,
  PolicyEffect,
  Reservation,
  RunError,
  StoredValue,
} from './journal/events.ts';
export { memoryStorage } from './journal/memory-storage.ts';
export type { JournalLog, JournalStorage } from './journal/storage.ts';
export type {
  CallToExplain,
  Decision,
  DecisionReceipt,
  DecisionScope,
  GrantPreview,
  GrantStore,
  PlainDecision,
  PlanDecision,
  PolicyExplanation,
  PolicyRule,
  PolicyVoice,
  RuleLimit,
  StoredGrant,
  ToolCallDecision,
  ToolCallQuestion,
} from './policy/types.ts';
export { explainPolicy } from './session/explain-policy.ts';
export type { HypotheticalCall } from './policy/explain.ts';
export { acpOptions, fromAcpOutcome, toAcpOutcome } from './policy/peers/acp.ts';
export type { AcpAlways, AcpOption, AcpOptionKind, AcpOutcome } from './policy/peers/acp.ts';
export { fromAgUiInterrupt, fromAgUiResume, toAgUiInterrupt, toAgUiResume } from './policy/peers/ag-ui.ts';
export type { AgUiInterrupt, AgUiResumeEntry } from './policy/peers/ag-ui.ts';
export { fromHumanResponse, toHumanInterrupt, toHumanResponse } from './policy/peers/langgraph.ts';
export type { HumanInterrupt, HumanResponse } from './policy/peers/langgraph.ts';
export type { PendingCall } from './policy/peers/pending-call.ts';
export { toDecision, toPlainDecision } from './policy/peers/plain.ts';
export { askForWrites, denyAll, readOnlyAllowed, simulate } from './policy/presets.ts';
export type { Clock } from './protocol/clock.ts';
export { DEFAULT_LIMITS } from './protocol/limits.ts';
export type { Limits } from './protocol/limits.ts';
export { toModelJson } from './protocol/plain.ts';
export type { ProgramFacts, RunStats, SourcePosition, Warning, WarningCode } from './protocol/wire.ts';
export { createCodeMode } from './session/create-code-mode.ts';
export { deferred } from './session/deferred.ts';
export type { SettleReceipt } from './session/deferred.ts';
export type { ContentPart, MediaPart, TextPart } from './session/content-parts.ts';
export type { ExecuteCodeInput, ModelResult, ModelTool, ModelToolCall, ModelTools } from './session/model-tools.ts';
export type { Analysis, ProgramProblem } from './session/preflight.ts';
export type {
  CallSummary,
  CodeMode,
  CodeModeOptions,
  NotUndone,
  OutputItem,
  ReadableJournal,
  Run,
  RunOptions,
  RunOutcome,
  RunSnapshot,
  Session,
  SessionGrants,
  SessionOptions,
  UndoOutcome,
  UndoPlan,
} from './session/types.ts';
export { callById } from './store/calls.ts';
export { pendingGroups } from './store/pending-groups.ts';
export { emptyState, reduce } from './store/reduce.ts';
export type {
  ApprovalView,
  CallStatus,
  CallView,
  GrantView,
  PendingGroup,
  PlanView,
  ReadonlyStore,
  RunItem,
  RunStatus,
  RunView,
  SessionState,
} from './store/state.ts';
