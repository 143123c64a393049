import { describe, expect, it } from 'vitest';
import { normalise } from './normalise.ts';

/** The evaluated code. */
function codeOf(source: string): string {
  const result = normalise(source);
  if (!result.ok) throw new Error(result.failure.message);
  return result.code;
}

describe('the place of a tool call', () => {
  it.each([
    ['await tools.echo({ i: 1 })', "await tools.echo({ i: 1 },undefined,'01:17')"],
    ['await tools.list()', "await tools.list(undefined,undefined,'01:17')"],
    ['await tools.list( )', "await tools.list( undefined,undefined,'01:17')"],
    ['await tools.pay({}, { intent: "rent" })', `await tools.pay({}, { intent: "rent" },'01:16')`],
    ['await tools.echo({},)', "await tools.echo({},undefined,'01:17')"],
    ['await tools.echo(({}))', "await tools.echo(({}),undefined,'01:17')"],
    ['await tools.crm.find(1)', "await tools.crm.find(1,undefined,'01:21')"],
    ["await tools['x-y'](1)", "await tools['x-y'](1,undefined,'01:19')"],
    ['await tool_echo(1)', "await tool_echo(1,undefined,'01:16')"],
    ['await tools\n  .echo\n  (1)', "await tools\n  .echo\n  (1,undefined,'03:3')"],
    ['f(await tools.a(await tools.b(1)))', "f(await tools.a(await tools.b(1,undefined,'01:30'),undefined,'01:16'))"],
    ['await tools.echo(x as Order)', "await tools.echo(x         ,undefined,'01:17')"],
  ])('is written into %s', (source, code) => {
    expect(codeOf(source)).toBe(code);
  });

  it.each([
    ['a spread', 'await tools.echo(...list)'],
    ['a third argument', 'await tools.echo(1, 2, 3)'],
    ['an optional call', 'await tools.echo?.(1)'],
    ['an optional member', 'await tools?.echo(1)'],
    ['call', 'await tools.echo.call(null, 1)'],
    ['another object', 'await shop.tools.echo(1)'],
    ['a name of its own', 'const f = (tools) => tools.echo(1); await f(shop)'],
    ['an alias', 'const t = tools; await t.echo(1)'],
    ['a replaced tool', 'const old = tools.echo; tools.echo = (...all) => old(...all); await tools.echo(1)'],
    ['a deleted tool', 'delete tools.echo; await tools.echo(1)'],
    ['a comment before the end', 'await tools.echo(1 /* all */)'],
  ])('is left to the engine with %s', (_what, source) => {
    expect(codeOf(source)).toBe(source);
  });
});
