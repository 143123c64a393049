'use client';
import type { ReactElement } from 'react';
import { indexOfCall } from '../../store/calls.ts';
import { Text } from '../text/Text.tsx';
import { type DialogModel, useDialog } from './dialog-context.ts';

/** One line: whether it can be taken back, what already ran, how long the question stands. */
export function Consequence(): ReactElement {
  const model = useDialog();
  const { request, labels, format } = model;
  const { call, run, approval } = request;
  const ran = indexOfCall(run.calls, call.id);
  const undoable = undoableOf(model);
  return (
    <p className="cm-muted cm-consequence" data-part="consequence" data-undoable={undoable}>
      {call.undoes === undefined ? (
        <strong>{labels.undoable[undoable]}</strong>
      ) : (
        <strong>
          <Text value={labels.undoesCall(call.tool)} labels={labels} />
        </strong>
      )}
      {` · ${ran > 0 ? labels.alreadyRan(ran) : labels.nothingRan}`}
      {approval.expiresAt !== undefined &&
        ` · ${labels.expiresIn(format.duration(Math.max(0, approval.expiresAt - approval.requestedAt)))}`}
    </p>
  );
}

function undoableOf({ request, approval }: DialogModel): 'reads' | 'yes' | 'unknown' | 'never' {
  const { risk } = request.approval;
  if (risk === 'read') return 'reads';
  if (approval.session?.tool?.(request.call.tool)?.revertible) return 'yes';
  return risk === 'danger' ? 'never' : 'unknown';
}
