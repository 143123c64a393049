'use client';
import type { ReactElement } from 'react';
import { Icon, type IconName } from '../Icon.tsx';
import { Text } from '../text/Text.tsx';
import { useMoments } from '../use-time-travel.ts';
import { subjectOf } from './moments.ts';
import { useTraceModel } from './trace-context.ts';
import type { Standpoint } from './use-standpoint.ts';

export interface TimeBarProps {
  /** The run whose events are gone through; without one: all. */
  readonly run: string | undefined;
  readonly standpoint: Standpoint;
  /** The present goes on: there is something to go back to. */
  readonly canBeLive: boolean;
}

/** Goes through the events of a trace one by one; what the panel shows is the state after the one it stands at. */
export function TimeBar({ run, standpoint, canBeLive }: TimeBarProps): ReactElement | null {
  const { source, labels, format } = useTraceModel();
  const { moments, at, go } = useMoments(source, run, standpoint);
  const { state, event, isLive } = standpoint;
  const last = moments.length;
  const first = moments[0];
  if (!first || !event) return null;
  const since = format.duration(Math.max(0, event.time - first.time));
  const place = labels.moment(format.number(at), format.number(last));
  const waiting = state.pending.length + state.pendingPlans.length;
  const step = (icon: IconName, name: string, to: number, keys: string): ReactElement => (
    <button
      type="button"
      className="cm-button cm-icon-button"
      data-kind="plain"
      aria-label={name}
      title={name}
      aria-keyshortcuts={keys}
      aria-disabled={to === at || undefined}
      onClick={() => go(to)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div className="cm-time" role="group" aria-label={labels.timeTravel} data-part="time" data-live={isLive || undefined}>
      <div className="cm-time-steps">
        {step('first', labels.firstMoment, 1, 'Shift+Home')}
        {step('previous', labels.previousMoment, Math.max(1, at - 1), 'Shift+ArrowLeft')}
        <input
          type="range"
          className="cm-time-slider"
          min={1}
          max={last}
          value={at}
          aria-label={labels.timeTravel}
          aria-valuetext={`${place}, ${labels.events[event.type]}`}
          onChange={({ target }) => go(Number(target.value))}
        />
        {step('following', labels.nextMoment, Math.min(last, at + 1), 'Shift+ArrowRight')}
        {step('last', labels.lastMoment, last, 'Shift+End')}
      </div>
      <p className="cm-time-words" role={isLive ? undefined : 'status'}>
        <bdi className="cm-number">{place}</bdi>
        <bdi className="cm-muted cm-number">+{since}</bdi>
        <strong>{labels.events[event.type]}</strong>
        <Subject text={subjectOf(event, state)} />
        {waiting > 0 && <span className="cm-time-waiting">{labels.pendingThen(waiting)}</span>}
      </p>
      {canBeLive && !isLive && (
        <button type="button" className="cm-button" data-action="live" onClick={() => go(last)}>
          {labels.backToLive}
        </button>
      )}
    </div>
  );
}

const MAX_SUBJECT = 80;

function Subject({ text }: { readonly text: string | undefined }): ReactElement | null {
  const { labels } = useTraceModel();
  if (text === undefined || text === '') return null;
  return (
    <code className="cm-time-subject">
      <Text value={text.length > MAX_SUBJECT ? `${text.slice(0, MAX_SUBJECT)}…` : text} labels={labels} />
    </code>
  );
}
