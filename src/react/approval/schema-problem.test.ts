import { describe, expect, it } from 'vitest';
import { createJsonValidator } from '../../catalog/json-validator.ts';
import { germanLabels } from '../labels-de.ts';
import { defaultLabels } from '../labels.ts';
import { schemaProblem } from './schema-problem.ts';

/** One value that fails, for each thing the core can say against one. */
const FAILURES: readonly (readonly [german: string, schema: object, value: unknown])[] = [
  ['Muss ein Text oder eine Zahl sein, ist ja oder nein.', { type: ['string', 'number'] }, true],
  ['Muss mindestens 3 sein.', { minimum: 3 }, 2],
  ['Darf höchstens 3 sein.', { maximum: 3 }, 4],
  ['Muss größer als 3 sein.', { exclusiveMinimum: 3 }, 3],
  ['Muss kleiner als 3 sein.', { exclusiveMaximum: 3 }, 3],
  ['Muss ein Vielfaches von 2 sein.', { multipleOf: 2 }, 3],
  ['Braucht mindestens 3 Zeichen.', { minLength: 3 }, 'a'],
  ['Darf höchstens 1 Zeichen haben.', { maxLength: 1 }, 'ab'],
  ['Braucht mindestens 1 Eintrag.', { minItems: 1 }, []],
  ['Darf höchstens 1 Eintrag haben.', { maxItems: 1 }, [1, 2]],
  ['Darf keine gleichen Einträge haben (0 und 1).', { uniqueItems: true }, [1, 1]],
  ['Muss dem Muster ^a+$ folgen.', { pattern: '^a+$' }, 'b'],
  ['Muss ein gültiger Wert der Art date sein.', { format: 'date' }, 'b'],
  ['Muss einer dieser Werte sein: "a", "b"', { enum: ['a', 'b'] }, 7],
  ['Muss "a" sein.', { const: 'a' }, 7],
  ['Hat keinen Eintrag der Form, die dabei sein muss.', { contains: { const: 1 } }, [2]],
  ['Passt zu mehr als einer der erlaubten Formen.', { oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3],
  ['Hat eine Form, die hier nicht erlaubt ist.', { not: { type: 'number' } }, 3],
  ['Braucht mindestens 2 Felder.', { type: 'object', minProperties: 2 }, { a: 1 }],
  ['Darf höchstens 1 Feld haben.', { type: 'object', maxProperties: 1 }, { a: 1, b: 2 }],
];

async function issueOf(schema: object, value: unknown): Promise<{ path: readonly (string | number)[]; message: string }> {
  const checked = await createJsonValidator(schema as never)(value);
  if (checked.ok) throw new Error(`${JSON.stringify(value)} fits`);
  return checked.issues[0]!;
}

describe('what the core says against a value', () => {
  for (const [german, schema, value] of FAILURES)
    it(`has German words: ${german}`, async () => {
      const issue = await issueOf({ type: 'object', properties: { field: schema } }, { field: value });
      const problem = schemaProblem(issue)!;
      expect(germanLabels.schemaProblem(problem, issue.message)).toBe(german);
      expect(defaultLabels.schemaProblem(problem, issue.message)).toBe(issue.message);
    });

  it('has German words for fields that are missing, unknown or not allowed', async () => {
    const schema = { type: 'object', properties: { amount: {}, to: {} }, required: ['to'], additionalProperties: false };
    const words = async (value: unknown, of: object = schema): Promise<string> => {
      const issue = await issueOf(of, value);
      return germanLabels.schemaProblem(schemaProblem(issue)!, issue.message);
    };
    expect(await words({})).toBe('Wird gebraucht.');
    expect(await words({ to: 1, amoun: 2 })).toBe('Dieses Feld gibt es nicht. Ist „amount“ gemeint?');
    expect(await words({ to: 1, zzz: 2 })).toBe('Dieses Feld gibt es nicht.');
    expect(await words({ a: 1 }, { type: 'object', dependentRequired: { a: ['b'] } })).toBe('Wird zusammen mit a gebraucht.');
    expect(await words(7)).toBe('Muss ein Objekt sein, ist eine Zahl.');
  });

  it('leaves the words of a library as they are', () => {
    expect(schemaProblem({ path: ['to'], message: 'to: Too small: expected string to have >=3 characters' })).toBeUndefined();
  });
});
