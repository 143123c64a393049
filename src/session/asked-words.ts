/** The sentences around what an application says about a call; a view that speaks another language takes them off again. */
const UNDO = 'Undo: ';
/** It stands in the question, so that no view can leave it out. */
const DOUBT = 'This may have happened already: ';

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

/** The question about a call that may have had its effect already. */
export function inDoubt(words: string): string {
  return DOUBT + words;
}

/** The question about the call itself. */
export function withoutDoubt(question: string): string {
  return question.startsWith(DOUBT) ? question.slice(DOUBT.length) : question;
}
