import { describe, expect, it } from 'vitest';
import { createGuardMachine, type GuardMachine } from './guard.ts';

const allow = { name: 'allow' };
const deny = { name: 'deny' };

function painted(): GuardMachine {
  const guard = createGuardMachine();
  guard.painted(1_000);
  return guard;
}

describe('the quiet period', () => {
  it('opens 500 ms after painting, not a millisecond before', () => {
    const guard = painted();
    expect(guard.isOpen(1_499)).toBe(false);
    expect(guard.isOpen(1_500)).toBe(true);
  });

  it('is never open before anything was painted', () => {
    expect(createGuardMachine().isOpen(1e9)).toBe(false);
    expect(createGuardMachine().remaining(1e9)).toBeUndefined();
  });

  it('starts again with a key or a pointer', () => {
    const guard = painted();
    expect(guard.disturb(1_400)).toBe(true);
    expect(guard.isOpen(1_899)).toBe(false);
    expect(guard.remaining(1_500)).toBe(400);
    expect(guard.isOpen(1_900)).toBe(true);
  });

  it('stays open once it is, until the next question', () => {
    const guard = painted();
    expect(guard.disturb(1_600)).toBe(false);
    expect(guard.isOpen(1_601)).toBe(true);
    guard.close();
    expect(guard.isOpen(9_000)).toBe(false);
    guard.painted(9_000);
    expect(guard.isOpen(9_499)).toBe(false);
  });
});

describe('a pointer', () => {
  const click = { button: allow, trusted: true, pointer: true };

  it('decides when it went down and up on the button after the period', () => {
    const guard = painted();
    guard.pointerDown(allow, 1_600);
    guard.pointerUp(1_650);
    expect(guard.accepts({ ...click, at: 1_651 })).toBe(true);
  });

  it('does not decide when it went down before the period was over', () => {
    const guard = painted();
    guard.pointerDown(allow, 1_499);
    guard.pointerUp(2_050);
    expect(guard.accepts({ ...click, at: 2_051 })).toBe(false);
  });

  it('does not decide when it went down elsewhere, or nowhere that was seen', () => {
    const guard = painted();
    guard.pointerDown(deny, 1_600);
    guard.pointerUp(1_650);
    expect(guard.accepts({ ...click, at: 1_651 })).toBe(false);
    expect(painted().accepts({ ...click, at: 1_700 })).toBe(false);
  });

  it('does not decide after it was cancelled', () => {
    const guard = painted();
    guard.pointerDown(allow, 1_600);
    guard.pointerCancel();
    expect(guard.accepts({ ...click, at: 1_700 })).toBe(false);
  });
});

describe('a click without a pointer', () => {
  const click = { button: allow, trusted: true, pointer: false };

  it('of assistive technology decides once the period is over', () => {
    const guard = painted();
    expect(guard.accepts({ ...click, at: 1_499 })).toBe(false);
    expect(guard.accepts({ ...click, at: 1_500 })).toBe(true);
  });

  it('of a key decides when the key went down on the button after the period', () => {
    const guard = painted();
    guard.keyDown(allow, false, 1_600);
    expect(guard.accepts({ ...click, at: 1_601 })).toBe(true);
  });

  it('of a key that went down before, or on something else, does not', () => {
    const early = painted();
    early.keyDown(allow, false, 1_400);
    expect(early.accepts({ ...click, at: 2_000 })).toBe(false);
    const elsewhere = painted();
    elsewhere.keyDown(undefined, false, 1_600);
    elsewhere.keyUp(1_650);
    expect(elsewhere.accepts({ ...click, at: 1_660 })).toBe(false);
  });

  it('of a repeating key counts as the first press', () => {
    const guard = painted();
    guard.keyDown(undefined, false, 900);
    guard.keyDown(allow, true, 1_700);
    expect(guard.accepts({ ...click, at: 1_701 })).toBe(false);
  });

  it('a minute after the last press is judged on its own', () => {
    const guard = painted();
    guard.pointerDown(deny, 1_600);
    guard.pointerUp(1_650);
    expect(guard.accepts({ ...click, at: 61_000 })).toBe(true);
  });
});

describe('an untrusted event', () => {
  it('never decides', () => {
    const guard = painted();
    guard.pointerDown(allow, 1_600);
    guard.pointerUp(1_650);
    expect(guard.accepts({ button: allow, trusted: false, pointer: true, at: 1_651 })).toBe(false);
  });

  it('decides only for the guard of tests', () => {
    const guard = createGuardMachine({ periodMs: 0, acceptsUntrusted: true });
    expect(guard.accepts({ button: allow, trusted: false, pointer: false, at: 1 })).toBe(false);
    guard.painted(1);
    expect(guard.accepts({ button: allow, trusted: false, pointer: false, at: 1 })).toBe(true);
  });
});
