'use client';
import { type ReactElement, type ReactNode, type RefObject, useCallback, useEffect, useRef } from 'react';
import { useModal } from './use-modal.ts';

export interface ModalFrameProps {
  /** What is asked about; another one moves the focus to its heading. */
  readonly subject: string;
  readonly runId: string;
  readonly titleId: string;
  readonly questionId: string;
  readonly onEscape: () => void;
  /** Words for those who do not see: announced when they change. */
  readonly status: string;
  /** `data-*` of the surface. */
  readonly marks: Readonly<Record<`data-${string}`, string | boolean | undefined>>;
  readonly className: string;
  readonly header: ReactNode;
  readonly footer: ReactNode;
  readonly children: (heading: RefObject<HTMLHeadingElement | null>) => ReactNode;
}

/** The modal itself: pinned header and footer, a body that scrolls, a live region inside, since those outside are inert. */
export function ModalFrame(props: ModalFrameProps): ReactElement {
  const { subject, runId, titleId, questionId, onEscape, status, marks, className, header, footer, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const fallback = useCallback(() => document.querySelector<HTMLElement>(`[data-cm-run="${CSS.escape(runId)}"]`), [runId]);
  useModal({ dialog, open: true, heading, subject, onEscape, fallback });
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0;
  }, [subject]);
  useEffect(() => (body.current ? keepReachable(body.current) : undefined), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      // React sets it as an attribute; the browser's own ways of closing are off.
      closedby="none"
      aria-labelledby={titleId}
      aria-describedby={questionId}
      className={`cm-root cm-approval cm-dialog ${className}`}
      data-cm-dialog=""
      {...marks}
    >
      {header}
      <div className="cm-dialog-body" ref={body} data-part="body">
        {children(heading)}
      </div>
      {footer}
      <div className="cm-hidden" role="status" aria-live="polite">
        {status}
      </div>
    </dialog>
  );
}

/** Not every browser lets a key reach what scrolls and has no button in it. */
function keepReachable(element: HTMLElement): () => void {
  const look = (): void => {
    const needsKey =
      element.scrollHeight > element.clientHeight && !element.querySelector('button, [href], input, select, textarea');
    if (needsKey) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver(look);
  observer.observe(element);
  return () => observer.disconnect();
}
