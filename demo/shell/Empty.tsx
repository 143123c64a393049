import type { ReactElement, ReactNode } from 'react';

/** An empty place: what to try first, and one button that does it. */
export function Empty({
  title,
  children,
  action,
  onAction,
  primary,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: string;
  onAction?(): void;
  /** Where no other primary button is in sight. */
  readonly primary?: boolean;
}): ReactElement {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      <p>{children}</p>
      {action && (
        <button type="button" className={primary ? 'button primary' : 'button'} onClick={onAction}>
          {action}
        </button>
      )}
    </div>
  );
}
