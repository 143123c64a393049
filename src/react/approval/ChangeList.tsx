'use client';
import type { ReactElement } from 'react';
import { compact } from '../text/describe-value.ts';
import { pathText, type ValueChange } from '../text/diff-values.ts';
import { MASK, pathKey } from '../../journal/secrets.ts';
import { Text } from '../text/Text.tsx';
import { useDialog } from './dialog-context.ts';

/** Each place that changed, before and after. */
export function ChangeList({ changes }: { readonly changes: readonly ValueChange[] }): ReactElement {
  const { labels, secrets } = useDialog();
  const show = (side: ValueChange['before'], path: ValueChange['path']): string =>
    side === undefined ? '' : secrets.has(pathKey(path)) ? MASK : compact(side.value, 200, undefined);
  return (
    <dl>
      {changes.map((change) => (
        <div className="cm-field" key={pathText(change.path)}>
          <dt>{pathText(change.path)}</dt>
          <dd>
            {change.before && (
              <del>
                <Text value={show(change.before, change.path)} labels={labels} />
              </del>
            )}
            {change.after && (
              <ins>
                <Text value={show(change.after, change.path)} labels={labels} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
