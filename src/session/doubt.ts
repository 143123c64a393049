/** Words for a call that may have had its effect already. They stand in the question, so that no view can leave them out. */
const BEGINNING = 'This may have happened already: ';

export function inDoubt(words: string): string {
  return BEGINNING + words;
}

/** The question alone, for a view that says so in its own language. */
export function withoutDoubt(question: string): string {
  return question.startsWith(BEGINNING) ? question.slice(BEGINNING.length) : question;
}
