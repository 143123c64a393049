import { type LazyPart, lazyPart } from '../lazy-part.ts';
import type { ChangeList } from './ChangeList.tsx';
import type { EditForm } from './EditForm.tsx';
import type { RuleFields } from './RuleFields.tsx';
import type { schemaProblem } from './schema-problem.ts';

/** What goes beyond yes, no and a text field. */
export interface EditParts {
  readonly ChangeList: typeof ChangeList;
  readonly EditForm: typeof EditForm;
  readonly RuleFields: typeof RuleFields;
  readonly schemaProblem: typeof schemaProblem;
}

/** Loaded when a dialog opens. Nothing in here may be needed to decide: a page may fail to load it. */
export const editParts: LazyPart<EditParts> = /* @__PURE__ */ lazyPart(() => import('./edit-parts-later.ts'));
