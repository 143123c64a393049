/** Journals that survive a reload, and what reads recorded runs. One import away, so that an application without it carries nothing of it. */
export { indexedDbStorage } from './journal/indexed-db-storage.ts';
export type { IndexedDbStorageOptions } from './journal/indexed-db-storage.ts';
export { aesGcmSeal } from './journal/seal.ts';
export type { Seal } from './journal/seal.ts';
export { leaseOwnership } from './journal/lease-ownership.ts';
export { webLockOwnership } from './journal/web-lock-ownership.ts';
export type { Ownership, Seat, SessionOwnership } from './journal/ownership.ts';
export { memoryStorage } from './journal/memory-storage.ts';
export type { MemoryStorageOptions } from './journal/memory-storage.ts';
export type { AppendOptions, JournalLog, JournalStorage, Removal, Retention } from './journal/storage.ts';
export { JOURNAL_VERSION } from './journal/events.ts';
export type { EventData, EventOf, EventType, JournalEvent, SeqRange, StoredValue } from './journal/events.ts';
export { readEvents } from './journal/read-events.ts';
export type { Damage, ReadLog, ReadOptions } from './journal/read-events.ts';
export { exportRunFile, importRunFile } from './journal/run-file.ts';
export type { RecordedRun, RunFile, RunFileOptions, RunSource, ToolSchemas } from './journal/run-file.ts';
