/** What a tool answered, as the model reads it. */
export interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

/** One turn of the scripted model: some words and, perhaps, a tool call. */
export interface Move {
  readonly say: string;
  readonly call?: {
    readonly tool: 'getTools' | 'getToolDefinition' | 'executeCode';
    readonly input: Readonly<Record<string, unknown>>;
  };
}

export interface Script {
  readonly id: string;
  /** Short, for a button. */
  readonly label: string;
  /** What the person says. */
  readonly prompt: string;
  /** Other wordings that start it. */
  readonly words: RegExp;
  /** @param answers of the tools since the question, oldest first */
  next(answers: readonly Answer[], question: string): Move;
}
