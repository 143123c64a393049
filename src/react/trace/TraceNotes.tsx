'use client';
import type { ReactElement } from 'react';
import type { RecordedRun } from '../../journal/run-file.ts';
import type { SessionState } from '../../store/state.ts';
import { Icon, type IconName } from '../Icon.tsx';
import { useTraceModel } from './trace-context.ts';

export interface TraceNotesProps {
  readonly state: SessionState;
  readonly recording: RecordedRun | undefined;
}

/** What one must know about the trace as a whole: another page owns it, a part is gone, it is a recording. */
export function TraceNotes({ state, recording }: TraceNotesProps): ReactElement | null {
  const { labels } = useTraceModel();
  const notes: { readonly icon: IconName; readonly text: string; readonly tone?: 'warning' }[] = [];
  if (recording) {
    const masked = recording.masked ? ` ${labels.recordingMasked}` : '';
    notes.push({ icon: 'read', text: labels.recordingNote + masked });
    if (recording.damage !== undefined) notes.push({ icon: 'warning', text: labels.recordingDamaged, tone: 'warning' });
  } else if (state.ownership === 'viewer') notes.push({ icon: 'read', text: labels.viewerNote });
  else if (state.ownership === 'opening') notes.push({ icon: 'queued', text: labels.openingNote });
  if (state.damage) notes.push({ icon: 'warning', text: labels.damageNote(state.damage.lost), tone: 'warning' });
  if (state.removedRuns > 0) notes.push({ icon: 'cut', text: labels.removedNote(state.removedRuns) });
  if (notes.length === 0) return null;
  return (
    <ul className="cm-trace-notes" data-part="notes">
      {notes.map(({ icon, text, tone }) => (
        <li key={text} data-tone={tone}>
          <Icon name={icon} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
