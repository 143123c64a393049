/** What is outside of the page and does not die with it: the tools' effects, and a person who remembers them. */
import type { Executor } from '../../../bridge/executor.ts';
import type { Tool } from '../../../catalog/tool.ts';
import type { JournalEvent } from '../../../journal/events.ts';
import type { JournalStorage } from '../../../journal/storage.ts';
import { callById } from '../../../store/calls.ts';
import { createCodeMode } from '../../create-code-mode.ts';
import type { CodeModeOptions, RunOutcome, Session } from '../../types.ts';

interface Input {
  readonly id: string;
  readonly n: number;
  readonly r?: unknown;
  readonly ms?: number;
}

export interface World {
  readonly tools: Tool[];
  /** How often each tool ran, by `tool id`. */
  readonly ran: ReadonlyMap<string, number>;
}

/** May run again: it only reads, or twice does what once does. */
export const REPEATABLE = new Set(['read', 'put', 'fail']);

/** @param before what happened earlier, as `tool id` @param happened told of each effect when it happens */
export function createWorld(before: readonly string[] = [], happened: (key: string) => void = () => {}): World {
  const ran = new Map<string, number>();
  const note = (key: string): void => void ran.set(key, (ran.get(key) ?? 0) + 1);
  before.forEach(note);
  const effect = (tool: string, { id }: Input): void => {
    happened(`${tool} ${id}`);
    note(`${tool} ${id}`);
  };
  const tool = (name: string, over: Partial<Tool> = {}, after: (input: Input) => unknown = outputOf): Tool => ({
    name,
    description: name === 'pay' ? 'Pays an amount' : `The tool ${name}`,
    execute(input: Input) {
      effect(name, input);
      return after(input);
    },
    ...over,
  });
  return {
    ran,
    tools: [
      tool('read', { risk: 'read' }),
      tool('put', { annotations: { idempotentHint: true } }),
      tool('send'),
      tool('pay', { needsApproval: true }),
      tool('wire', { needsApproval: true, risk: 'danger' }),
      tool('fail', { annotations: { idempotentHint: true } }, ({ id }) => {
        throw new Error(`${id} failed`);
      }),
      tool('slow', {}, async (input) => {
        await new Promise((resolve) => setTimeout(resolve, input.ms));
        return outputOf(input);
      }),
    ],
  };
}

function outputOf({ n, r }: Input): { n: number; r?: unknown } {
  return r === undefined ? { n } : { n, r };
}

export interface Opened {
  readonly session: Session;
  /** Stops the person. */
  leave(): void;
}

/** Opens the session in a page of its own, with a person who decides what waits. */
export function openPage(
  sessionId: string,
  storage: JournalStorage,
  world: World,
  executor: Executor,
  options: Partial<CodeModeOptions> = {},
): Opened {
  const codeMode = createCodeMode({ tools: world.tools, executor, storage, ...options });
  const session = codeMode.session({ id: sessionId });
  const seen = new Set<string>();
  const look = (): void => {
    for (const callId of session.store.getState().pending) {
      if (seen.has(callId)) continue;
      seen.add(callId);
      void decide(session, world, callId).finally(() => seen.delete(callId));
    }
  };
  const leave = session.store.subscribe(look);
  look();
  return { session, leave };
}

/** By the id of the call; a call that may have happened by what did happen. */
async function decide(session: Session, world: World, callId: string): Promise<void> {
  const call = callById(session.store.getState(), callId);
  if (!call?.approval) return;
  const input = (await session.readValue(call.approval.input)) as Input;
  if (call.approval.doubt) {
    const happened = (world.ran.get(`${call.tool} ${input.id}`) ?? 0) > 0;
    if (happened) await session.decide(callId, { kind: 'answer', output: outputOf(input) });
    else await session.decide(callId, { kind: 'allow' });
    return;
  }
  const [word] = input.id.split('-');
  if (word === 'deny') await session.decide(callId, { kind: 'deny', reason: 'no' });
  else if (word === 'answer') await session.decide(callId, { kind: 'answer', output: { n: input.n + 100 } });
  else if (word === 'edit') await session.decide(callId, { kind: 'allow', input: { ...input, n: input.n + 1000 } });
  else await session.decide(callId, { kind: 'allow' });
}

/** What must be the same whatever happened on the way. */
export function essence(outcome: RunOutcome): unknown {
  const output = outcome.output.map((item) => (item.kind === 'console' ? item.text : item.value));
  if (outcome.status === 'completed') return { status: outcome.status, value: outcome.value, output };
  if (outcome.status === 'failed')
    return { status: outcome.status, code: outcome.error.code, message: outcome.error.message, output };
  return { status: outcome.status, output };
}

/** Rules that hold for every journal. @returns what is broken */
export function faultsOf(records: readonly string[], world: World): string[] {
  const faults: string[] = [];
  for (const [key, times] of world.ran) {
    const [tool = ''] = key.split(' ');
    if (times > 1 && !REPEATABLE.has(tool)) faults.push(`${key} ran ${times} times`);
  }
  const asked = new Map<string, number>();
  for (const record of records) {
    const event = JSON.parse(record) as JournalEvent;
    const isQuestion = event.type === 'approval.requested' && !event.data.doubt;
    if (!isQuestion && event.type !== 'approval.decided') continue;
    const key = `${event.type} ${event.data.callId}`;
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  for (const [key, times] of asked) if (key.startsWith('approval.requested') && times > 1) faults.push(`${key} ${times} times`);
  return faults;
}
