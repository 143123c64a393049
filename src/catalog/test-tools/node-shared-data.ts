/** Test data outside of the project: real catalogues and queries. Tests that need them say so where the folder is absent. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tool } from '../tool.ts';

const FOLDER = fileURLToPath(new URL('../../../../shared/', import.meta.url));

export const ABSENT = 'nothing, because the shared data folder is absent';

/** Absolute path in the shared folder, or undefined when it is not there. */
export function sharedFile(path: string): string | undefined {
  const file = FOLDER + path;
  return existsSync(file) ? file : undefined;
}

export function readShared(path: string): unknown {
  return JSON.parse(readFileSync(FOLDER + path, 'utf8'));
}

/** Names of the catalogue files; without them one name that says so, which `readTools` reads as no tools. */
export function catalogFiles(): string[] {
  const folder = sharedFile('data');
  if (folder === undefined) return [ABSENT];
  return readdirSync(folder).filter((file) => /^catalog-.*\.json$/.test(file));
}

export function readTools(file: string): Tool[] {
  if (file === ABSENT) return [];
  return (readShared(`data/${file}`) as Omit<Tool, 'execute'>[]).map((tool) => ({ ...tool, execute: (input: unknown) => input }));
}
