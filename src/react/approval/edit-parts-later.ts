/** One file for a page to load when a question is on screen. */
export { ChangeList } from './ChangeList.tsx';
export { EditForm } from './EditForm.tsx';
export { RuleFields } from './RuleFields.tsx';
export { schemaProblem } from './schema-problem.ts';
