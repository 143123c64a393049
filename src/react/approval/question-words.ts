import { withoutDoubt } from '../../session/doubt.ts';
import type { ApprovalView } from '../../store/state.ts';
import type { Labels } from '../labels.ts';

/** The question as a person reads it: of a call that may have happened it says so first, in the language of the labels. */
export function questionWords({ question, doubt }: Pick<ApprovalView, 'question' | 'doubt'>, labels: Labels): string {
  return doubt ? labels.doubt.question(withoutDoubt(question)) : question;
}
