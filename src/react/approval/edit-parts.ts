import { type LazyPart, lazyPart } from '../lazy-part.ts';
import type { ChangeList } from './ChangeList.tsx';

/** What an editor has beyond its text field. */
export interface EditParts {
  readonly ChangeList: typeof ChangeList;
}

/** Loaded when a dialog opens. Nothing in here may be needed to decide: a page may fail to load it. */
export const editParts: LazyPart<EditParts> = lazyPart(() => import('./ChangeList.tsx'));
