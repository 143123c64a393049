/** A waiting call as the messages of other libraries describe it: what a view has of `CallView` and its decoded input. */
export interface PendingCall {
  readonly callId: string;
  readonly tool: string;
  /** `approval.question`. */
  readonly question: string;
  /** `session.readValue(approval.input)`. */
  readonly input: unknown;
  /** `approval.expiresAt`, epoch ms. */
  readonly expiresAt?: number;
}
