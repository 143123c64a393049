/** For tests of applications: decide calls by code, own the time, open the dialog's guard. Not for production. */
export { approve, deny, nextApproval } from './testing/approvals.ts';
export { createFakeClock } from './testing/fake-clock.ts';
export type { FakeClock } from './testing/fake-clock.ts';
export { storageConformance } from './testing/storage-conformance.ts';
export type { StorageConformanceOptions } from './testing/storage-conformance.ts';
export { testGuard } from './testing/test-guard.ts';
