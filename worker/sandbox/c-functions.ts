/** The engine's C functions as the realm calls them. All arguments and results are numbers: values, pointers, flags. */

const NAMES = [
  'QTS_NewRuntime',
  'QTS_NewContext',
  'QTS_FreeContext',
  'QTS_FreeRuntime',
  'QTS_RuntimeEnableInterruptHandler',
  'QTS_RuntimeSetMaxStackSize',
  'QTS_RuntimeSetMemoryLimit',
  'QTS_GetUndefined',
  'QTS_NewString',
  'QTS_NewFloat64',
  'QTS_NewFunction',
  'QTS_GetString',
  'QTS_GetFloat64',
  'QTS_Typeof',
  'QTS_FreeCString',
  'QTS_FreeValuePointer',
  'QTS_ArgvGetJSValueConstPointer',
  'QTS_Eval',
  'QTS_Call',
  'QTS_ResolveException',
  'QTS_IsJobPending',
  'QTS_ExecutePendingJob',
  'QTS_PromiseState',
  'QTS_PromiseResult',
] as const;

/** Some give nothing back; their results are not looked at. */
export type CFunctions = Readonly<Record<(typeof NAMES)[number], (...values: number[]) => number>>;

/**
 * Taken as they are from the loaded module. The library's own list binds four times as many, and wraps what takes a text.
 * @throws Error when the module lacks one: the package has changed
 */
export function takeFunctions(loaded: Readonly<Record<`_${string}`, unknown>>): CFunctions {
  const functions: Partial<Record<(typeof NAMES)[number], unknown>> = {};
  for (const name of NAMES) {
    functions[name] = loaded[`_${name}`];
    if (typeof functions[name] !== 'function') throw new Error(`the engine has no function ${name}`);
  }
  return functions as CFunctions;
}
