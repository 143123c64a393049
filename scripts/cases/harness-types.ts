/** What the harness asks for and gives, as its head comment describes it. */

export interface CaseTool {
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly sensitive?: boolean;
  readonly mcp?: boolean;
  handler(input: unknown, call: { signal: AbortSignal }): Promise<unknown>;
}

export type Answer = 'approve' | 'deny' | 'edit' | 'allowRun';

export interface CaseApproval {
  readonly decision: Answer;
  readonly input?: unknown;
  readonly reason?: string;
  /** Decisions that arrive too late, each a little later. */
  readonly again?: readonly Answer[];
}

export interface CaseOptions {
  readonly timeoutMs?: number;
  readonly memoryLimitMb?: number;
  readonly maxOutputChars?: number;
  readonly maxToolCalls?: number;
  readonly redact?: boolean;
}

export interface CaseRun {
  readonly code: string;
  readonly tools: Readonly<Record<string, CaseTool>>;
  readonly options: CaseOptions;
  readonly signal: AbortSignal;
  onApproval(request: { id: string; tool: string; input: unknown }): Promise<CaseApproval>;
}

export interface CaseResult {
  readonly status: 'ok' | 'error' | 'timeout' | 'memory' | 'aborted' | 'reject';
  readonly value?: unknown;
  readonly hasValue: boolean;
  readonly error?: string;
  readonly errorLine?: number;
  readonly logs: readonly string[];
  readonly warnings: readonly string[];
  readonly truncated: boolean;
  readonly trace: readonly unknown[];
  readonly outputText: string;
  readonly pendingRequests: number;
}

export interface CaseSession {
  toolExpr(name: string): string;
  run(run: CaseRun): Promise<CaseResult>;
  stub(tools: Readonly<Record<string, CaseTool>>): Promise<string>;
  killWorker(): Promise<void> | void;
  dispose(): Promise<void>;
}
