'use client';
/** What the details of every kind of row are made of. */
import { type ReactElement, type ReactNode, useState } from 'react';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { StoredValue } from '../../journal/events.ts';
import { safePreview, secretPaths } from '../../journal/secrets.ts';
import { Text } from '../text/Text.tsx';
import { ValueView } from '../text/ValueView.tsx';
import { useValue } from '../use-value.ts';
import { useTraceModel } from './trace-context.ts';

/** A titled part. */
export function Part({
  title,
  extra,
  children,
}: {
  readonly title: string;
  readonly extra?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="cm-section">
      <div className="cm-section-head">
        <h4>{title}</h4>
        {extra !== undefined && <bdi className="cm-muted">{extra}</bdi>}
      </div>
      {children}
    </div>
  );
}

export interface ValueProps {
  readonly title: string;
  readonly stored: StoredValue;
  readonly schema?: JsonSchema;
  readonly bytes?: number;
}

const NOTHING_OPEN: ReadonlySet<string> = new Set();

/** A value, secrets masked; a large one is fetched when somebody asks for it. */
export function Value({ title, stored, schema, bytes }: ValueProps): ReactElement {
  const { source, labels, format } = useTraceModel();
  const [wanted, setWanted] = useState('inline' in stored);
  const read = useValue(source, wanted ? stored : undefined);
  const [opened, setOpened] = useState(NOTHING_OPEN);
  const toggle = (path: string): void =>
    setOpened((old) => {
      const next = new Set(old);
      if (!next.delete(path)) next.add(path);
      return next;
    });
  return (
    <Part title={title} extra={bytes === undefined ? undefined : format.bytes(bytes)}>
      {!wanted && !('inline' in stored) && (
        <p className="cm-collapsed">
          <Text value={safePreview(stored.preview, schema, 120)} labels={labels} />
          <button type="button" className="cm-link" onClick={() => setWanted(true)}>
            {labels.open} (<bdi>{format.bytes(stored.bytes)}</bdi>)
          </button>
        </p>
      )}
      {wanted && read.status === 'reading' && <p className="cm-muted">…</p>}
      {read.status === 'failed' && (
        <p className="cm-note">
          <Text value={safePreview('inline' in stored ? stored.inline : stored.preview, schema, 500)} labels={labels} />
        </p>
      )}
      {read.status === 'ready' && (
        <ValueView
          value={read.value}
          labels={labels}
          secrets={secretPaths(read.value, schema)}
          opened={opened}
          onToggle={toggle}
        />
      )}
    </Part>
  );
}

/** Text as it is. */
export function Words({ text }: { readonly text: string }): ReactElement {
  const { labels } = useTraceModel();
  return (
    <pre className="cm-code">
      <Text value={text} labels={labels} foldBlank />
    </pre>
  );
}
