'use client';
import { type ReactElement, useState } from 'react';
import { Icon } from '../Icon.tsx';
import { plainJson } from '../text/describe-value.ts';
import { exportCall } from './export-run.ts';
import type { TraceNode } from './nodes.ts';
import { useTraceModel } from './trace-context.ts';
import type { TraceSource } from './trace-source.ts';

/** Copies a row as JSON, secrets masked. */
export function CopyButton({ node }: { readonly node: TraceNode }): ReactElement {
  const { source, labels } = useTraceModel();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await copyText(node, source));
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <>
      <button
        type="button"
        className="cm-button cm-icon-button"
        data-kind="plain"
        aria-label={labels.copy}
        title={labels.copy}
        onClick={() => void copy()}
      >
        <Icon name={state === 'copied' ? 'succeeded' : 'copy'} />
      </button>
      <span className="cm-hidden" role="status">
        {state === 'copied' ? labels.copied : state === 'failed' ? labels.copyFailed : ''}
      </span>
    </>
  );
}

async function copyText(node: TraceNode, source: TraceSource | undefined): Promise<string> {
  if (!source) return '';
  const calls = node.kind === 'call' ? [node.call] : node.kind === 'group' || node.kind === 'fold' ? node.calls : [];
  if (calls.length === 1) return JSON.stringify(await exportCall(source, calls[0]!), null, 2);
  if (calls.length > 1) return JSON.stringify(await Promise.all(calls.map((call) => exportCall(source, call))), null, 2);
  if (node.kind === 'console') return node.item.text;
  if (node.kind === 'warning') return node.warning.message;
  if (node.kind === 'error') return `${node.error.code}: ${node.error.message}`;
  if (node.kind === 'run') return node.run.source;
  if (node.kind === 'cancelled') return node.reason;
  if (node.kind === 'plan') return JSON.stringify(node.plan, null, 2);
  const stored = node.kind === 'emit' ? node.item.value : node.kind === 'result' ? node.value : undefined;
  return stored ? (plainJson(await source.readValue(stored)) ?? '') : '';
}
