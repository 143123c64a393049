/**
 * One writer per session. Of several pages (tabs) that have a session open one owns it: it runs programs and writes the
 * journal. The others are viewers: they follow what it writes and may ask it to do something (decide about a call).
 */
import type { JournalEvent } from './events.ts';

/** `opening`: not known yet. */
export type Ownership = 'opening' | 'owner' | 'viewer';

/** Decides who owns a session, and carries words between the pages that have it open. */
export interface SessionOwnership {
  /** Takes a place; resolves when it is known whose the session is. */
  join(sessionId: string): Promise<Seat>;
  /** Does `work` while nobody has the session. @returns false, without doing it, when somebody has */
  whileFree(sessionId: string, work: () => Promise<void>): Promise<boolean>;
}

/** One page's place at a session. */
export interface Seat {
  readonly role: 'owner' | 'viewer';
  /** A viewer becomes the owner when the owner is gone. An owner becomes a viewer only where owners cannot be told apart for certain. */
  onRole(listener: (role: 'owner' | 'viewer') => void): void;
  /** Owner: shows the others what was written. */
  publish(events: readonly JournalEvent[]): void;
  onEvents(listener: (events: readonly JournalEvent[]) => void): void;
  /**
   * Viewer: asks the owner. Question and answer are plain data.
   * @throws CodeModeError `storage_error` when no owner answers, or what the owner threw
   */
  ask(question: unknown): Promise<unknown>;
  /** Owner: answers what viewers ask. */
  onAsk(answer: (question: unknown) => Promise<unknown>): void;
  leave(): void;
}
