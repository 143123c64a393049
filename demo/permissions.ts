import type { GrantStore, StoredGrant } from 'react-code-mode/core';

const KEY = 'playground-permissions';

/** Permissions for “always”, kept in this browser. An application would keep them on its server, for the person who is signed in. */
export const keptPermissions: GrantStore = {
  load: read,
  save: (grant) => write([...read(), grant]),
  remove: (id) => write(read().filter((grant) => grant.id !== id)),
};

/** What is no list is none; each permission is judged by code mode itself. */
function read(): readonly StoredGrant[] {
  const stored = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
  return Array.isArray(stored) ? (stored as StoredGrant[]) : [];
}

function write(grants: readonly StoredGrant[]): void {
  localStorage.setItem(KEY, JSON.stringify(grants));
}
