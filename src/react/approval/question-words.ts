import { plainQuestion, withoutDoubt, withoutUndo } from '../../session/asked-words.ts';
import type { CallView } from '../../store/state.ts';
import type { Labels } from '../labels.ts';

/**
 * The question as a person reads it: the application's words, and what is said around them in the language of the labels: that a
 * call may have happened, that it takes back another, and the question where the application has none.
 */
export function questionWords(call: Pick<CallView, 'approval' | 'title' | 'tool' | 'undoes'>, labels: Labels): string {
  const { approval, title = call.tool, undoes } = call;
  if (!approval) return '';
  const isUndo = undoes !== undefined && !approval.doubt;
  const bare = approval.doubt ? withoutDoubt(approval.question) : isUndo ? withoutUndo(approval.question) : approval.question;
  const words = bare === plainQuestion(title) ? labels.runTool(title) : bare;
  if (approval.doubt) return labels.doubt.question(words);
  return isUndo ? labels.undoQuestion(words) : words;
}
