/** What a worker could do whose engine was broken out of. Data only; `breached-worker.mjs` has the words. */

type Row = readonly [name: string, worker: string, ends: string | RegExp];

const ROWS: readonly Row[] = [
  ['a tool that is not listed', `heard(() => end()); say({ calls: [call(1, { tool: 'hidden' })] })`, 'completed'],
  [
    'the prototype’s names',
    `heard(() => end()); say({ calls: [call(1, { tool: '__proto__' }), call(2, { tool: 'constructor' })] })`,
    'completed',
  ],
  [
    'an unapproved call, then its own answer to it',
    `say({ calls: [call(1, { tool: 'asked' })] }); say({ delivered: [{ kind: 'call', id: 1 }] }); end({ notAwaited: [1] })`,
    'waits',
  ],
  ['one call id twice', `say({ calls: [call(1)] }); say({ calls: [call(1)] })`, 'executor_crashed'],
  ['a call id ahead of its turn', `say({ calls: [call(7)] })`, 'executor_crashed'],
  ['more calls than allowed', `say({ calls: Array.from({ length: 1001 }, (_, i) => call(i + 1)) })`, 'executor_crashed'],
  ['a frame of another run', `say({ runId: 'run-1' }); say({}); end()`, 'executor_crashed'],
  ['frames after the end', `end(); setTimeout(() => { say({ calls: [call(1)] }) }, 20)`, 'completed'],
  ['two ends', `end(); end({ value: '"other"' }); raw({ nothing: true })`, 'completed'],
  ['an end with more frames than it sent', `end({}, { frames: 5 })`, 'executor_crashed'],
  [
    'a failure with a code of the page',
    `end({ status: 'failed', error: { code: 'executor_unavailable', name: 'E', message: 'm' } })`,
    'executor_crashed',
  ],
  ['an answer that is no data', `raw({ reply: new Map(), frames: 0, spent: false })`, 'executor_crashed'],
  ['a thrown error with a stack', `port.postMessage({ id: 'x', type: 'HANDLER', name: 'throw', value: {} }); end()`, 'completed'],
  [
    'a Comlink call to the page',
    `port.postMessage({ id: '1', type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [{ type: 'RAW', value: 'globalThis.pwned = 1' }] }); port.postMessage({ id: '2', type: 'GET', path: [] }); end()`,
    'completed',
  ],
  ['a value that is no text of the codec', `end({ value: '{"$t":"nothing"}' })`, 'serialization_error'],
  ['a value that is nested without end', `end({ value: '['.repeat(1e6) + ']'.repeat(1e6) })`, 'serialization_error'],
  [
    'a value that refers to itself again and again',
    `let t = '1'; for (let i = 1; i <= 40; i++) t = '{"$t":"def","v":[' + i + ',[' + t + ',{"$t":"ref","v":' + (i - 1 || 1) + '}]]}'; end({ value: t })`,
    'completed',
  ],
  [
    'one list of calls in a thousand warnings',
    `const calls = Array.from({ length: 100000 }, (_, i) => i + 1); end({ warnings: Array.from({ length: 1000 }, () => ({ code: 'other', message: 'm', calls })) })`,
    'executor_crashed',
  ],
  [
    'output above the limit, in small pieces',
    `for (let i = 0; i < 20; i++) say({ output: Array.from({ length: 1000 }, () => ({ kind: 'console', level: 'log', text: '' })) })`,
    'executor_crashed',
  ],
  [
    'clock readings without end',
    `for (let i = 0; i < 5; i++) say({ clock: Array.from({ length: 99000 }, (_, n) => [n, 1]) }); end()`,
    'executor_crashed',
  ],
  [
    'deliveries of what was never asked',
    `for (let i = 0; i < 20; i++) say({ delivered: Array.from({ length: 20000 }, (_, n) => ({ kind: 'timer', id: n })) }); end()`,
    'executor_crashed',
  ],
  ['frames without end in another name', `for (let i = 0; i < 1e5; i++) say({ runId: 'another' })`, 'executor_crashed'],
  ['frames without end that say nothing', `for (let i = 0; i < 500; i++) say({}); end()`, 'executor_crashed'],
  [
    'a question to the catalogue that cannot be written out',
    `let t = '[1]'; for (let i = 1; i <= 60; i++) t = '[{"$t":"def","v":[' + i + ',' + t + ']},{"$t":"ref","v":' + i + '}]'; heard(() => end()); say({ calls: [{ id: 1, kind: 'describe', tool: '', input: t }] })`,
    'completed',
  ],
  [
    'a thousand calls of the largest input',
    `const input = JSON.stringify('x'.repeat(4e6)); heard(() => end()); say({ calls: Array.from({ length: 1000 }, (_, i) => call(i + 1, { input })) })`,
    'timeout',
  ],
  [
    'death in the middle of a call',
    // A web worker that closes itself says nothing: then it is charged for the reply that it never takes.
    `say({ calls: [call(1, { tool: 'slow' })] }); setTimeout(die, 20)`,
    /executor_crashed|timeout/,
  ],
  ['an error thrown outside of everything', `setTimeout(() => { throw new Error('outside') }, 1)`, 'executor_crashed'],
  [
    'a frame with a port',
    `const { port1 } = new MessageChannel(); channel.postMessage([...packed(frame()), 1, 'tool', 'free', port1, undefined, undefined, undefined], [port1])`,
    'executor_crashed',
  ],
  ['a frame with shared memory', `say({ calls: [call(1, { input: new SharedArrayBuffer(8) })] })`, 'executor_crashed'],
  ['an input that is an object', `say({ calls: [call(1, { input: { toString: 1 } })] })`, 'executor_crashed'],
  ['a sparse list of calls', `const calls = []; calls[3] = call(4); say({ calls })`, 'executor_crashed'],
  ['a list of calls that is none', `say({ calls: new Map([[0, call(1)]]) })`, 'executor_crashed'],
  [
    'a list of 2 ** 32 - 2 holes',
    `const calls = []; calls.length = 1000; say({ output: [], delivered: [], calls })`,
    'executor_crashed',
  ],
  [
    'a decision',
    `for (const type of ['decide', 'approval.decided', 'approve']) channel.postMessage({ runId: request.runId, type, callId: request.runId + ':1', allowed: true }); setTimeout(() => end(), 100)`,
    'executor_crashed',
  ],
  ['events of the journal', `say({ events: [{ type: 'approval.decided' }], calls: [call(1, { tool: 'asked' })] })`, 'waits'],
  [
    'a call with the answer in it',
    `say({ calls: [call(1, { tool: 'asked', approved: true, decision: 'allow', grantId: '1', needsApproval: false, status: 'succeeded' })] })`,
    'waits',
  ],
  ['a call of the page’s own kind', `say({ calls: [call(1, { kind: 'preflight', id: 0, tool: '' })] })`, 'executor_crashed'],
  [
    'a call of another kind for a tool',
    `heard(() => end()); say({ calls: [call(1, { kind: 'result', tool: 'asked' })] })`,
    'completed',
  ],
  [
    'a text of a hundred megabytes',
    `say({ output: [{ kind: 'console', level: 'log', text: 'x'.repeat(1e8) }] })`,
    'executor_crashed',
  ],
  [
    'a hundred thousand messages',
    `for (let i = 0; i < 1e5; i++) port.postMessage({ id: 'x' + i, type: 'RAW' })`,
    'executor_crashed',
  ],
  [
    'a module after the start',
    `channel.postMessage({ module: new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) })`,
    'executor_crashed',
  ],
  ['a time that is none', `say({ computeMs: -1 })`, 'executor_crashed'],
  ['times without end', `say({ computeMs: 1e300, memoryBytes: 1e300, nextTimerMs: 1e300 }); end()`, 'completed'],
  [
    'a timer that is always due',
    `for (let i = 0; i < 50; i++) say({ nextTimerMs: 0, delivered: [{ kind: 'timer', id: i }] }); setTimeout(() => end(), 50)`,
    'completed',
  ],
  [
    'a prototype in an answer',
    `raw(JSON.parse('{"reply":{"__proto__":{"status":"completed"},"status":"completed","value":"1","warnings":[],"notAwaited":[],"computeMs":0,"peakMemoryBytes":0},"frames":0,"spent":false}'))`,
    'completed',
  ],
  [
    'an error whose data is code',
    `end({ status: 'failed', value: undefined, error: { code: 'tool_denied', name: '<img src=x onerror=1>', message: '<script>1</script>', data: '{"a":' } })`,
    'tool_denied',
  ],
];

export interface Breach {
  readonly name: string;
  /** What the worker does once it is given a program. */
  readonly worker: string;
  /** Status of a completed run, code of a failed one; `waits`: for a person. */
  readonly ends: string | RegExp;
}

export const BREACHES: readonly Breach[] = ROWS.map(([name, worker, ends]) => ({ name, worker, ends }));
