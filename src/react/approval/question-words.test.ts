import { expect, it } from 'vitest';
import { inDoubt, inUndo, plainQuestion } from '../../session/asked-words.ts';
import { germanLabels } from '../labels-de.ts';
import { defaultLabels } from '../labels.ts';
import { questionWords } from './question-words.ts';

const approval = { risk: 'write', input: { inline: '{}' as never }, inputDigest: '', requestedAt: 0 } as const;
const call = (question: string, more: { undoes?: string; doubt?: true } = {}) => ({
  tool: 'orders.cancel',
  title: 'Cancel an order',
  ...(more.undoes && { undoes: more.undoes }),
  approval: { ...approval, question, ...(more.doubt && { doubt: more.doubt }) },
});

it('leaves the application’s words, and says what stands around them in the language of the labels', () => {
  expect(questionWords(call('Cancel order #1?'), germanLabels)).toBe('Cancel order #1?');
  expect(questionWords(call(plainQuestion('Cancel an order')), germanLabels)).toBe('Cancel an order ausführen?');
  expect(questionWords(call(inUndo('Cancel order #1?'), { undoes: 'r:1' }), germanLabels)).toBe(
    'Rückgängig machen: Cancel order #1?',
  );
  expect(questionWords(call(inUndo(plainQuestion('Cancel an order')), { undoes: 'r:1' }), germanLabels)).toBe(
    'Rückgängig machen: Cancel an order ausführen?',
  );
});

it('takes nothing off an application’s own words that only look like it', () => {
  expect(questionWords(call('Undo: the last step?'), germanLabels)).toBe('Undo: the last step?');
});

it('is in English what the core wrote', () => {
  for (const [question, more] of [
    [plainQuestion('Cancel an order'), {}],
    [inUndo('Cancel order #1?'), { undoes: 'r:1' }],
    [inDoubt('Cancel order #1?'), { doubt: true }],
  ] as const)
    expect(questionWords(call(question, more), defaultLabels)).toBe(question);
});
