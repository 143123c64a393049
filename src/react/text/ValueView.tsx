'use client';
import { type ReactElement, useState } from 'react';
import type { Labels } from '../labels.ts';
import { isBigContainer, isLongText } from './collapse.ts';
import { compact, plainJson, shapeOf, type ValueShape } from './describe-value.ts';
import { masked, pathKey, type SecretPaths } from '../../journal/secrets.ts';
import { Text } from './Text.tsx';
import { mixedScript, visibleText } from './visible-text.ts';

export interface ValueViewProps {
  readonly value: unknown;
  readonly labels: Labels;
  readonly secrets: SecretPaths;
  /** Collapsed places that have been opened. */
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (path: string) => void;
}

interface NodeProps extends ValueViewProps {
  readonly path: readonly (string | number)[];
  readonly name: string;
}

/** A decoded value as rows of a form: names, text nodes, nothing cut without a button that opens it. */
export function ValueView(props: ValueViewProps): ReactElement {
  return (
    <div className="cm-value" data-part="value">
      <ValueNode {...props} path={[]} name="" />
    </div>
  );
}

function ValueNode(props: NodeProps): ReactElement {
  const { value, path, secrets, labels } = props;
  if (secrets.has(pathKey(path))) return <Secret {...props} />;
  const shape = shapeOf(value);
  if (shape.kind === 'text') return <LongOrShortText {...props} text={shape.text} />;
  if (shape.kind === 'leaf')
    return (
      <span className="cm-leaf" data-type={shape.type}>
        <Text value={shape.text} labels={labels} />
      </span>
    );
  return <Container {...props} shape={shape} />;
}

type ContainerShape = Exclude<ValueShape, { kind: 'text' | 'leaf' }>;

function Container(props: NodeProps & { readonly shape: ContainerShape }): ReactElement {
  const { shape, path, labels, opened, onToggle, name } = props;
  const key = pathKey(path);
  if (shape.entries.length === 0) return <span className="cm-leaf">{shape.kind === 'list' ? '[ ]' : '{ }'}</span>;
  if (isFolded(props.value, path, opened))
    return (
      <Collapsed name={name} words={labels.entries(shape.entries.length)} label={labels.open} onOpen={() => onToggle(key)} />
    );
  if (shape.entries.length > MAX_ROWS) return <AsText value={props.value} secrets={props.secrets} path={path} labels={labels} />;
  return (
    <dl className="cm-fields" data-kind={shape.kind}>
      {shape.entries.map(([entry, item]) => (
        <div
          className="cm-field"
          key={String(entry)}
          data-nested={rowOf(item, isList(shape), isFolded(item, [...path, entry], opened))}
        >
          <dt>
            <Text value={String(entry)} labels={labels} />
          </dt>
          <dd>
            <ValueNode {...props} value={item} path={[...path, entry]} name={String(entry)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** More entries than this are shown as one text: a row each would be too much for the page. */
const MAX_ROWS = 500;

function AsText({ value, secrets, path, labels }: Pick<NodeProps, 'value' | 'secrets' | 'path' | 'labels'>): ReactElement {
  const safe = masked(value, secrets, path);
  const lines = (): string =>
    shapeEntries(safe)
      .map(([key, item]) => `${key}: ${compact(item, Number.POSITIVE_INFINITY)}`)
      .join('\n');
  return (
    <pre className="cm-code" dir="ltr">
      <Text value={plainJson(safe) ?? lines()} labels={labels} />
    </pre>
  );
}

function shapeEntries(value: unknown): readonly (readonly [string | number, unknown])[] {
  const shape = shapeOf(value);
  return shape.kind === 'text' || shape.kind === 'leaf' ? [] : shape.entries;
}

/** How a value stands beside its name: in the row, below it (`deep`), or, when it is plain itself, in the row as a list or a line. */
function rowOf(value: unknown, inList: boolean, folded: boolean): 'deep' | 'list' | 'line' | undefined {
  const shape = shapeOf(value);
  if (folded || shape.kind === 'text' || shape.kind === 'leaf' || shape.entries.length === 0) return undefined;
  if (!shape.entries.every(([, item]) => isPlain(item))) return 'deep';
  if (isList(shape)) return 'list';
  return inList ? 'line' : 'deep';
}

function isFolded(value: unknown, path: NodeProps['path'], opened: ReadonlySet<string>): boolean {
  return isBigContainer(shapeEntries(value).length, path.length) && !opened.has(pathKey(path));
}

/** Longest text, in characters, that has room beside others on one line. */
const LINE_CHARS = 60;

function isPlain(value: unknown): boolean {
  const shape = shapeOf(value);
  if (shape.kind === 'text') return shape.text.length <= LINE_CHARS && !shape.text.includes('\n');
  return shape.kind === 'leaf' || shape.entries.length === 0;
}

function isList({ kind }: ValueShape): boolean {
  return kind === 'list' || kind === 'set';
}

function LongOrShortText(props: NodeProps & { readonly text: string }): ReactElement {
  const { text, path, labels, opened, onToggle, name } = props;
  const key = pathKey(path);
  const script = mixedScript(text);
  if (text === '') return <span className="cm-leaf cm-muted">“” {labels.emptyText}</span>;
  if (isLongText(text) && !opened.has(key))
    return (
      <span className="cm-long">
        <span className="cm-string">
          <Text value={`${text.slice(0, 120).trimEnd()}…`} labels={labels} />
        </span>
        <Collapsed name={name} words={labels.characters(text.length)} label={labels.open} onOpen={() => onToggle(key)} />
      </span>
    );
  return (
    <span className="cm-long">
      <span className="cm-string" data-multiline={text.includes('\n') || undefined}>
        <Text value={text} labels={labels} foldBlank />
      </span>
      {script && (
        <span className="cm-note" data-tone="warning">
          {labels.mixedScript(script)}
        </span>
      )}
    </span>
  );
}

interface CollapsedProps {
  readonly name: string;
  readonly words: string;
  readonly label: string;
  readonly onOpen: () => void;
}

function Collapsed({ name, words, label, onOpen }: CollapsedProps): ReactElement {
  return (
    <span className="cm-collapsed">
      <span className="cm-muted">{words}</span>
      <button type="button" className="cm-link" data-cm-open="" aria-label={`${label} ${visibleText(name)}`} onClick={onOpen}>
        {label}
      </button>
    </span>
  );
}

function Secret({ value, path, name, labels, ...rest }: NodeProps): ReactElement {
  const [shown, setShown] = useState(false);
  const text = typeof value === 'string' ? value : undefined;
  const toggle = (
    <button
      type="button"
      className="cm-link"
      aria-pressed={shown}
      aria-label={`${labels.reveal} ${visibleText(name)}`}
      onClick={() => setShown(!shown)}
    >
      {shown ? labels.hide : labels.reveal}
    </button>
  );
  if (shown)
    return (
      <span className="cm-long">
        <ValueNode {...rest} value={value} path={path} name={name} labels={labels} secrets={NO_SECRETS} />
        {toggle}
      </span>
    );
  return (
    <span className="cm-secret">
      <span aria-hidden="true">••••••••</span>
      <span className="cm-muted">{labels.masked(text?.length ?? 0)}</span>
      {toggle}
    </span>
  );
}

const NO_SECRETS: SecretPaths = new Set();
