/** The sentences around what an application says about a call; a view that speaks another language takes them off again. */
const UNDO = 'Undo: ';

/** The question where an application has no words for a call. */
export function plainQuestion(title: string): string {
  return `Run ${title}?`;
}

/** The question about a call that is to be taken back. */
export function inUndo(words: string): string {
  return UNDO + words;
}

/** The question about the call itself. */
export function withoutUndo(question: string): string {
  return question.startsWith(UNDO) ? question.slice(UNDO.length) : question;
}
