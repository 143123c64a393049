/** One run as a file: to hand on, to keep, to look at elsewhere. Nothing in it is ever executed. */
import { CodeModeError } from '../errors.ts';
import { decode, encode } from '../protocol/codec.ts';
import type { EncodedText } from '../protocol/wire.ts';
import { JOURNAL_VERSION, type JournalEvent, type StoredValue } from './events.ts';
import { readEvents } from './read-events.ts';
import { storedValuesOf } from './retention.ts';
import { masked, secretPaths } from './secrets.ts';

const FORMAT = 'react-code-mode/journal';

/** Plain data, ready for `JSON.stringify`. docs/journal-format.md describes it. */
export interface RunFile {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly sessionId: string;
  readonly runId: string;
  /** Secrets were replaced, so it cannot be resumed. */
  readonly masked: boolean;
  readonly events: readonly JournalEvent[];
  /** Texts that events refer to. */
  readonly values: Readonly<Record<string, EncodedText>>;
}

/** Where a run is read from: a journal, or anything that has its events and values. */
export interface RunSource {
  readonly events: readonly JournalEvent[];
  /** @throws where a value is no longer stored */
  load(value: StoredValue): Promise<EncodedText> | EncodedText;
}

export interface RunFileOptions {
  /** Replace secrets: by a tool's schema (`x-sensitive`, `format: password`), else by the names of fields. @default true */
  readonly mask?: boolean;
  /** Schemas of a tool. Without it secrets are known by the names of fields only. */
  readonly schemas?: (tool: string) => ToolSchemas | undefined;
}

export interface ToolSchemas {
  readonly input?: Schema;
  readonly output?: Schema;
}

type Schema = Parameters<typeof secretPaths>[1];

/**
 * A run with everything that happened in it. Console lines and the program itself are as they are: what a program writes
 * out is not searched for secrets.
 * @throws CodeModeError `invalid_options` for a run that is not in the journal
 */
export async function exportRunFile(source: RunSource, runId: string, options: RunFileOptions = {}): Promise<RunFile> {
  const { mask = true } = options;
  const own = source.events.filter((event) => event.runId === runId);
  const [first] = own;
  if (!first) throw unknownRun(runId);
  const writer = new Writer(source, options, mask);
  const events: JournalEvent[] = [];
  for (const event of [...catalogOf(source.events, own), ...own]) events.push(await writer.write(event));
  const values = Object.fromEntries(writer.values);
  return { format: FORMAT, version: JOURNAL_VERSION, sessionId: first.sessionId, runId, masked: mask, events, values };
}

/** The catalogue that the program was written against. */
function catalogOf(events: readonly JournalEvent[], own: readonly JournalEvent[]): readonly JournalEvent[] {
  const started = own.find((event) => event.type === 'run.started');
  const version = started?.type === 'run.started' ? started.data.catalogVersion : undefined;
  const found = events.findLast((event) => event.type === 'catalog.changed' && event.data.version === version);
  return found && found.seq < own[0]!.seq ? [found] : [];
}

class Writer {
  readonly values = new Map<string, EncodedText>();
  readonly #source: RunSource;
  readonly #schemas: NonNullable<RunFileOptions['schemas']>;
  readonly #mask: boolean;
  readonly #tools = new Map<string, string>();

  constructor(source: RunSource, { schemas = () => undefined }: RunFileOptions, mask: boolean) {
    this.#source = source;
    this.#schemas = schemas;
    this.#mask = mask;
  }

  async write(event: JournalEvent): Promise<JournalEvent> {
    if (event.type === 'tool_call.requested') this.#tools.set(event.data.callId, event.data.tool);
    const callId = (event.data as { readonly callId?: string }).callId;
    const schemas = this.#schemas((callId !== undefined && this.#tools.get(callId)) || '');
    let data = event.data as Readonly<Record<string, unknown>>;
    let changed = false;
    for (const [field, value] of Object.entries(data)) {
      if (!storedValuesOf(event).includes(value as StoredValue)) continue;
      const written = await this.#value(value as StoredValue, field === 'input' ? schemas?.input : schemas?.output);
      changed ||= written !== value;
      data = { ...data, [field]: written };
    }
    // A digest of a short secret can be guessed, and it is no longer the digest of what stands here.
    if (changed && event.type === 'approval.requested') data = { ...data, inputDigest: '' };
    return { ...event, data: this.#mask ? withoutSecretErrors(data) : data } as JournalEvent;
  }

  async #value(value: StoredValue, schema: Schema): Promise<StoredValue> {
    let text: EncodedText;
    try {
      text = await this.#source.load(value);
    } catch {
      return value; // the preview is what is left of it
    }
    const shown = this.#mask ? maskedText(text, schema) : text;
    if ('inline' in value) return shown === text ? value : { inline: shown };
    this.values.set(value.ref, shown);
    return shown === text ? value : { ref: value.ref, bytes: shown.length, preview: shown.slice(0, value.preview.length) };
  }
}

/** What is not readable as a value might hold anything. */
function maskedText(text: EncodedText, schema: Schema): EncodedText {
  try {
    const value = decode(text);
    const secrets = secretPaths(value, schema);
    return secrets.size === 0 ? text : encode(masked(value, secrets));
  } catch {
    return '"(not readable)"';
  }
}

/** The data of an error: plain JSON that a handler chose. */
function withoutSecretErrors(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const error = data['error'] as { readonly data?: unknown } | undefined;
  if (error?.data === undefined || typeof error.data === 'string') return data;
  try {
    const secrets = secretPaths(error.data);
    return secrets.size === 0 ? data : { ...data, error: { ...error, data: masked(error.data, secrets) } };
  } catch {
    // Too deep to be looked through.
    const { data: _, ...rest } = error;
    return { ...data, error: rest };
  }
}

/** A run that was loaded from a file. It can be looked at, and that is all. */
export interface RecordedRun extends RunSource {
  readonly sessionId: string;
  readonly runId: string;
  readonly masked: boolean;
  /** Set where the file was cut off or changed: what is good before that place was read. */
  readonly damage?: string;
  /** Decodes a value of an event or a view. @throws CodeModeError `storage_error` where the file holds only its beginning */
  readValue(stored: StoredValue): Promise<unknown>;
}

/**
 * Reads a run file, of this version or an older one. Takes any data: nothing of it is believed.
 * @throws CodeModeError `invalid_options` for what is no run file or has nothing of its run, `storage_error` for one of a newer version
 */
export function importRunFile(file: unknown): RecordedRun {
  const { format, sessionId, runId, masked: isMasked, events, values } = (file ?? {}) as Readonly<Record<string, unknown>>;
  if (format !== FORMAT || typeof sessionId !== 'string' || typeof runId !== 'string' || !Array.isArray(events))
    throw noRunFile();
  const read = readEvents(events, sessionId, { gaps: 'allowed' });
  const own = read.events.filter((event) => event.runId === runId || event.runId === undefined);
  if (!own.some((event) => event.runId === runId)) throw nothingReadable(read.damage?.reason);
  const texts = new Map(Object.entries((values ?? {}) as object).filter(([, text]) => typeof text === 'string'));
  const load = (value: StoredValue): EncodedText => {
    const text: unknown = 'inline' in value ? value.inline : texts.get(value.ref);
    if (typeof text === 'string') return text;
    throw new CodeModeError('storage_error', 'The file does not hold this value, only its beginning.', {});
  };
  return {
    sessionId,
    runId,
    masked: isMasked !== false,
    events: own,
    ...(read.damage && { damage: read.damage.reason }),
    load,
    readValue: async (value) => decode(load(value)),
  };
}

function unknownRun(runId: string): CodeModeError {
  return new CodeModeError(
    'invalid_options',
    `There is no run ${runId} in this journal. It may have been removed by retention; ids of its runs are in store.getState().runOrder.`,
    { runId },
  );
}

function nothingReadable(reason = 'it has no events of it'): CodeModeError {
  return new CodeModeError(
    'invalid_options',
    `Nothing of the run in this file can be read: ${reason}. Export the run again, or look for an undamaged copy.`,
  );
}

function noRunFile(): CodeModeError {
  return new CodeModeError(
    'invalid_options',
    'This is no run that was exported by react-code-mode (exportRunFile). Nothing was loaded.',
  );
}
