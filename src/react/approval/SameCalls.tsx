'use client';
import type { ReactElement } from 'react';
import { Text } from '../text/Text.tsx';
import { useDialog } from './dialog-context.ts';

/** How many calls wait that are the same as this one, and what they come to. */
export function SameCalls(): ReactElement | null {
  const { request, labels, format } = useDialog();
  const { group } = request;
  if (!group || group.count < 2) return null;
  return (
    <div className="cm-note" data-part="same">
      <p>{labels.sameWaits(group.count)}</p>
      {group.totals.map(({ path, each, total }) => (
        <p key={path}>
          <Text value={labels.allTogether(path, format.number(each), format.number(total))} labels={labels} />
        </p>
      ))}
    </div>
  );
}
