import { type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { GrantList, useGrants } from 'react-code-mode';
import { useDesk } from '../desk-context.ts';
import { Icon } from './Icon.tsx';
import { Option } from './Option.tsx';
import type { Preferences } from './preferences.ts';

export interface ApprovalSettingsProps {
  readonly plan: Preferences['plan'];
  onPlan(plan: Preferences['plan']): void;
}

/** When a person is asked, and what they have allowed for more than once. */
export function ApprovalSettings(props: ApprovalSettingsProps): ReactElement {
  const [open, setOpen] = useState(false);
  const { list } = useGrants();
  return (
    <>
      <button type="button" className="button quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="approval" />
        Approval
        {list.length > 0 && (
          <span className="count" aria-label={`, ${list.length} ${list.length === 1 ? 'permission' : 'permissions'}`}>
            {list.length}
          </span>
        )}
      </button>
      {open && <ApprovalPanel {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ApprovalPanel({ plan, onPlan, onClose }: ApprovalSettingsProps & { onClose(): void }): ReactElement {
  const { session } = useDesk();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();

  useEffect(() => {
    dialog.current?.showModal();
    // Those of an earlier visit are read with the first question otherwise.
    void session.grants.refresh();
  }, [session]);

  return (
    <dialog ref={dialog} className="panel-dialog" aria-labelledby={title} onClose={onClose}>
      <form method="dialog">
        <h2 id={title}>Approval</h2>
        <Option name="plan" checked={plan === 'off'} onCheck={() => onPlan('off')} label="Ask about calls">
          A program runs at once; each of its calls that writes waits for you.
        </Option>
        <Option name="plan" checked={plan === 'ask'} onCheck={() => onPlan('ask')} label="Ask about the program first">
          Before anything runs you see the program and the tools it can reach. Dangerous calls ask all the same.
        </Option>
        <GrantList className="granted" />
        <p className="hint">“Always” is kept in this browser, until you revoke it here or the tool changes.</p>
        <div className="dialog-actions">
          <button type="submit" className="button primary">
            Done
          </button>
        </div>
      </form>
    </dialog>
  );
}
