/** The JSON Schema validator is loaded with the first run: a tool set is checked for usable schemas without it. */
import type { Validation } from './catalog.ts';
import type { JsonSchema } from './tool.ts';

type Create = typeof import('./json-validator.ts').createJsonValidator;
type Judge = (value: unknown) => Validation;

let create: Create | undefined;
let loading: Promise<Create> | undefined;

/** From then on validators answer at once. @throws what the platform says when it cannot be loaded; the next use asks again */
export function loadJsonValidator(): Promise<Create> {
  return (loading ??= begin());
}

async function begin(): Promise<Create> {
  try {
    return (create = (await import('./json-validator.ts')).createJsonValidator);
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** What cannot be checked is not accepted. */
const UNCHECKED: Validation = {
  ok: false,
  issues: [{ path: [], message: 'the value could not be checked: the validator could not be loaded' }],
};

/** Judges values; later, while the validator is still on its way. Never throws or rejects. */
export function lazyJsonValidator(schema: JsonSchema): (value: unknown) => Validation | Promise<Validation> {
  let judge: Judge | undefined;
  const judgeWith = (make: Create, value: unknown): Validation => (judge ??= make(schema))(value);
  return (value) =>
    create
      ? judgeWith(create, value)
      : loadJsonValidator().then(
          (loaded) => judgeWith(loaded, value),
          () => UNCHECKED,
        );
}
