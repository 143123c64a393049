/** Collects what happened in the guest into frames for the page. */
import { utf8Length } from '../../src/protocol/utf8.ts';
import {
  MAX_OUTPUT_ITEMS,
  type CallKind,
  type Delivery,
  type EncodedText,
  type Frame,
  type NameTable,
  type OutputLevel,
  PREFLIGHT_ID,
  type SourcePosition,
  type WireCall,
  type WireOutput,
} from '../../src/protocol/wire.ts';
import { CALL_WIDTH, OUTPUT_WIDTH } from '../guest/ops.ts';
import type { ClockRecorder } from './clock-reads.ts';
import { type Locate, siteAt } from './failure.ts';
import type { Collected } from './guest.ts';

const LEVELS: readonly OutputLevel[] = ['debug', 'log', 'info', 'warn', 'error'];
const EMITTED = 5;
const KINDS: readonly CallKind[] = ['tool', 'tool', 'search', 'describe', 'result'];

export interface FramesOptions {
  readonly runId: string;
  readonly names: NameTable;
  readonly maxOutputBytes: number;
  readonly locate: Locate;
  readonly clock: ClockRecorder;
  send(frame: Frame): void;
}

export interface FrameState {
  readonly computeMs: number;
  readonly memoryBytes: number;
  readonly quiescent: boolean;
  readonly nextTimerMs?: number | undefined;
}

export class Frames {
  readonly #options: FramesOptions;
  #seq = 0;
  #output: WireOutput[] = [];
  #calls: WireCall[] = [];
  #delivered: Delivery[] = [];
  #outputBytes = 0;
  #outputItems = 0;
  readonly #sites = new Map<number, SourcePosition>();
  /** True once output was dropped. */
  truncated = false;

  constructor(options: FramesOptions) {
    this.#options = options;
  }

  /** The question whether to run the program; alone in its frame. */
  askFirst(input: EncodedText): void {
    this.#calls.push({ id: PREFLIGHT_ID, kind: 'preflight', tool: '', input });
  }

  delivered(delivery: Delivery): void {
    this.#delivered.push(delivery);
  }

  siteOf(call: number): SourcePosition | undefined {
    return this.#sites.get(call);
  }

  /** Takes output and calls out of a report. @returns where its last text, the program's value, starts in the body */
  add({ report: [output, calls], body }: Collected): number {
    let at = 0;
    const take = (length: unknown): string => body.slice(at, (at += length as number));
    for (let i = 0; i < output.length; i += OUTPUT_WIDTH) {
      const [level, length, site] = output.slice(i, i + OUTPUT_WIDTH);
      this.#addOutput(level as number, take(length), siteAt(this.#options.locate, site as string));
    }
    for (let i = 0; i < calls.length; i += CALL_WIDTH) {
      const [id, kind, index, name, site, inputLength, intentLength] = calls.slice(i, i + CALL_WIDTH);
      const tool = (kind as number) > 1 ? '' : (this.#options.names.names[index as number] ?? (name as string));
      const input = take(inputLength);
      this.#addCall({ id: id as number, kind: KINDS[kind as number] ?? 'tool', tool, input }, site as string, take(intentLength));
    }
    return at;
  }

  #addOutput(level: number, text: string, site: SourcePosition | undefined): void {
    if (this.truncated) return;
    if (++this.#outputItems > MAX_OUTPUT_ITEMS) {
      this.truncated = true;
      return;
    }
    const room = this.#options.maxOutputBytes - this.#outputBytes;
    const line = level === EMITTED ? text : (JSON.parse(text) as string);
    const bytes = utf8Length(line);
    this.truncated = bytes > room;
    this.#outputBytes += bytes;
    if (level === EMITTED) {
      if (!this.truncated) this.#output.push({ kind: 'emit', value: text, ...(site && { site }) });
      return;
    }
    const shown = this.truncated ? cut(line, room) : line;
    if (shown !== '' || !this.truncated)
      this.#output.push({ kind: 'console', level: LEVELS[level] ?? 'log', text: shown, ...(site && { site }) });
  }

  #addCall(call: WireCall, position: string, intent: string): void {
    const site = siteAt(this.#options.locate, position);
    if (site) this.#sites.set(call.id, site);
    this.#calls.push({ ...call, ...(site && { site }), ...(intent !== '' && { intent: JSON.parse(intent) as string }) });
  }

  /** Drops calls that were not sent: the program has failed. */
  dropCalls(): void {
    this.#calls = [];
  }

  /** Sends what there is; with `quiescent` also when there is nothing. */
  flush(state: FrameState): void {
    const clock = this.#options.clock.take();
    const calls = this.#calls;
    if (!state.quiescent && calls.length + this.#output.length + this.#delivered.length + clock.length === 0) return;
    const frame: Frame = {
      runId: this.#options.runId,
      seq: ++this.#seq,
      output: this.#output,
      delivered: this.#delivered,
      clock,
      calls,
      computeMs: state.computeMs,
      memoryBytes: state.memoryBytes,
      quiescent: state.quiescent,
      ...(state.nextTimerMs !== undefined && { nextTimerMs: state.nextTimerMs }),
    };
    this.#output = [];
    this.#calls = [];
    this.#delivered = [];
    this.#options.send(frame);
  }
}

/** The longest start of the text that has at most so many bytes and splits no character. */
function cut(text: string, bytes: number): string {
  let low = 0;
  let high = Math.min(text.length, bytes);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (utf8Length(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  const splits = low > 0 && low < text.length && /[\uD800-\uDBFF]/.test(text[low - 1]!);
  return text.slice(0, splits ? low - 1 : low);
}
