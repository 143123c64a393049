'use client';
import type React from 'react';
import { createContext, useContext, useMemo } from 'react';
import type { CodeMode, Session } from '../session/types.ts';
import { defaultLabels, type Labels } from './labels.ts';
import { createFormat, type Format } from './text/format.ts';

/** What a provider hands down. */
export interface CodeModeScope {
  readonly codeMode?: CodeMode;
  readonly session?: Session;
  readonly labels?: Partial<Labels>;
}

export const ScopeContext: React.Context<CodeModeScope> = createContext<CodeModeScope>({});

/** Words of the nearest provider, with a component's own on top. */
export function useLabels(own?: Partial<Labels>): Labels {
  const { labels } = useContext(ScopeContext);
  return useMemo(() => (labels || own ? { ...defaultLabels, ...labels, ...own } : defaultLabels), [labels, own]);
}

const formats = new Map<string, Format>();

/** Formatters of the labels' language, made once per language. */
export function formatOf(labels: Labels): Format {
  let format = formats.get(labels.locale);
  if (!format) formats.set(labels.locale, (format = createFormat(labels.locale)));
  return format;
}
