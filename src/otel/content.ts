/** What a person or a program said, as attributes: only where it was asked for, and without secrets. */
import type { Attributes } from '@opentelemetry/api';
import type { StoredValue } from '../journal/events.ts';
import type { ToolSchemas } from '../journal/run-file.ts';
import { masked, secretPaths } from '../journal/secrets.ts';
import { decode } from '../protocol/codec.ts';
import { toModelJson } from '../protocol/plain.ts';
import { MAX_CONTENT_CHARS, type SpanOptions } from './options.ts';

type Schema = ToolSchemas['input'];

/** Collects content of one span; collects nothing unless it was asked for. */
export class Content {
  readonly #wanted: boolean;
  readonly #maxChars: number;
  readonly #attributes: Attributes = {};
  readonly #omitted: string[] = [];

  constructor({ captureContent = false, maxContentChars = MAX_CONTENT_CHARS }: SpanOptions) {
    this.#wanted = captureContent;
    this.#maxChars = maxContentChars;
  }

  /** A text as it is. */
  text(key: string, text: string | undefined): this {
    if (!this.#wanted || text === undefined) return this;
    if (text.length > this.#maxChars) this.#omitted.push(key);
    else this.#attributes[key] = text;
    return this;
  }

  /** A value as JSON, secrets replaced. */
  value(key: string, stored: StoredValue | undefined, schema?: () => Schema): this {
    if (!this.#wanted || stored === undefined) return this;
    // What JSON writes is rarely shorter than the stored text, and never by half: longer ones are not decoded at all.
    if (!('inline' in stored) || stored.inline.length > 2 * this.#maxChars) this.#omitted.push(key);
    else this.text(key, jsonOf(stored.inline, schema?.()));
    return this;
  }

  attributes(): Attributes {
    if (this.#omitted.length === 0) return this.#attributes;
    return { ...this.#attributes, 'code_mode.content.omitted': this.#omitted };
  }
}

/** Nothing for what is not readable: it might hold anything. */
function jsonOf(text: string, schema: Schema): string | undefined {
  try {
    const value = decode(text);
    const secrets = secretPaths(value, schema);
    return JSON.stringify(toModelJson(secrets.size === 0 ? value : masked(value, secrets)));
  } catch {
    return undefined;
  }
}
