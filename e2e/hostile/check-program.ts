/** What must hold for every hostile program, on every platform. */
import { expect, vi } from 'vitest';
import type { PooledExecutor } from '../../src/bridge/pooled-executor.ts';
import type { Tool } from '../../src/catalog/tool.ts';
import { ToolError } from '../../src/errors.ts';
import { createCodeMode } from '../../src/session/create-code-mode.ts';
import type { Run, Session } from '../../src/session/types.ts';
import type { HostileProgram } from './programs.ts';
import { markOfRealm } from './realm-mark.ts';

/** Of a program that must come to an end by itself, also on a loaded machine, and of one that need not. Milliseconds. */
const BUDGET_MS = 10_000;
const SHORT_BUDGET_MS = 300;
const MEMORY_BYTES = 64 * 1024 * 1024;
/** After any attack this runs as if nothing had been. */
const NEXT = `return [typeof Promise, (await tools.echo({ n: 1 })).n, Object.keys({}).length, [].concat([1]).length]`;

/** Where hostile programs run, beside a conversation that has nothing to do with them. */
export interface Scene extends AsyncDisposable {
  readonly executor: PooledExecutor;
  /** Counts on in globals that it keeps. @throws when anything of that was disturbed */
  checkBystander(): Promise<void>;
}

export function createScene(executor: PooledExecutor): Scene {
  const codeMode = createCodeMode({ executor, state: 'session', tools: [], limits: { memoryBytes: MEMORY_BYTES } });
  const bystander = codeMode.session();
  let runs = 0;
  return {
    executor,
    async checkBystander() {
      const program = runs++ === 0 ? 'let mine = 1; mine' : '++mine';
      expect(await bystander.run(program).outcome).toMatchObject({ status: 'completed', value: runs, output: [], warnings: [] });
    },
    async [Symbol.asyncDispose]() {
      await codeMode[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
    },
  };
}

/**
 * Runs the program and then honest ones: the right end, nothing runs that nobody allowed, the page's own realm is as it was,
 * nothing is left under way, the next program and another session know of nothing.
 * @returns what `watch` noticed while the hostile program ran
 */
export async function checkProgram<T>(attack: HostileProgram, scene: Scene, watch: () => () => T | Promise<T>): Promise<T> {
  const { executor } = scene;
  const ran: string[] = [];
  const realm = markOfRealm();
  await using codeMode = createCodeMode({
    executor,
    tools: [...tools(ran), ...(attack.kind === 'work for the page' ? MANY : [])],
    policy: [{ match: 'hidden', effect: 'hide' }],
    limits: {
      timeoutMs: String(attack.ends).includes('timeout') ? SHORT_BUDGET_MS : BUDGET_MS,
      memoryBytes: MEMORY_BYTES,
    },
  });
  const session = codeMode.session();
  const during = watch();
  const run = session.run(attack.program);
  await (attack.ends === 'waits' ? checkWaits(session, run, ran) : checkEnd(run, attack));
  const noticed = await during();
  const { length } = session.journal.events;
  expect(ran.filter((name) => name !== 'echo' && name !== 'single')).toEqual([]);
  expect(markOfRealm()).toEqual(realm);
  expect(executor.load).toMatchObject({ busy: 0, queued: 0, waitingForSlot: 0 });
  await scene.checkBystander();
  // Nothing of the hostile run arrives late.
  expect(session.journal.events).toHaveLength(length);
  await checkNext(session);
  return noticed;
}

async function checkEnd(run: Run, { ends, value }: HostileProgram): Promise<void> {
  const outcome = await run.outcome;
  const end = outcome.status === 'failed' ? outcome.error.code : outcome.status;
  if (typeof ends === 'string') expect(end).toBe(ends);
  else expect(end).toMatch(ends);
  if (outcome.status === 'completed' && value !== undefined) expect(outcome.value).toEqual(value);
  if (outcome.status === 'failed') expect(outcome.error.message.length).toBeLessThan(70_000);
  expect(outcome.warnings.length).toBeLessThan(500);
  expect(outcome.calls.filter(({ status }) => status === 'running' || status === 'waiting_approval')).toEqual([]);
}

async function checkWaits(session: Session, run: Run, ran: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(session.store.getState().pending.length).toBeGreaterThan(0), 20_000);
  expect(ran.filter((name) => name !== 'echo')).toEqual([]);
  run.cancel();
  const { status, calls } = await run.outcome;
  expect(status).toBe('cancelled');
  const asked = calls.filter(({ tool }) => tool === 'asked');
  expect(asked.length).toBeGreaterThan(0);
  for (const call of asked) expect(call.status).toBe('cancelled');
}

async function checkNext(session: Session): Promise<void> {
  expect(await session.run(NEXT).outcome).toMatchObject({
    status: 'completed',
    value: ['function', 1, 0, 1],
    calls: [{ tool: 'echo', status: 'succeeded' }],
    output: [],
  });
}

/** A catalogue as large as the largest in use. */
const MANY: readonly Tool[] = Array.from({ length: 600 }, (_, i) => ({
  name: `many_tool_${i}`,
  description: `Gets thing${i} of the archive`,
  risk: 'read',
  execute: () => i,
}));

function tools(ran: string[]): Tool[] {
  const tool = (name: string, over: Partial<Tool> = {}): Tool => ({
    name,
    risk: 'write',
    execute: (input: unknown) => {
      ran.push(name);
      return input;
    },
    ...over,
  });
  return [
    tool('echo'),
    tool('numbers', { inputSchema: { type: 'object', properties: { list: { type: 'array', items: { type: 'number' } } } } }),
    tool('rows', { execute: () => Array.from({ length: 1_000 }, (_, row) => ({ row })) }),
    tool('single', { inputSchema: { type: 'object', properties: { n: { type: 'number' } } } }),
    tool('asked', { needsApproval: true }),
    tool('hidden'),
    tool('rethrow', {
      execute: (input: unknown) => {
        throw new ToolError('bad', { input });
      },
    }),
    tool('plain', {
      execute: () => {
        throw { status: 500, stack: 'at /srv/app.js:1', token: 'secret' };
      },
    }),
  ];
}
