/**
 * A worker whose engine was broken out of: it speaks the protocol up to the run, then the program's text says what it does.
 * `say(fields)` sends a frame, `end(fields)` the run's answer, `raw` goes over the Comlink port, `channel` is the other one.
 */
import { parentPort } from 'node:worker_threads';

if (!parentPort) throw new Error('This file is the start of a worker thread.');
const port = parentPort;
const REPLY = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0, status: 'completed', value: '"lie"' };
/** @type {import('node:worker_threads').MessagePort} */
let channel;

port.on('message', ({ id, path, argumentList = [] }) => {
  const [method] = path ?? [];
  /** @param {unknown} value */
  const raw = (value) => port.postMessage({ id, type: 'RAW', value });
  const [first, second] = argumentList.map((/** @type {{ value: any }} */ { value }) => value);
  if (method === 'init') {
    channel = second;
    raw({ protocol: first.protocol, engine: 'breached', compiled: false });
  } else if (method === 'run') {
    let seq = 0;
    const frame = (fields = {}) => ({
      runId: first.runId,
      seq: ++seq,
      output: [],
      delivered: [],
      clock: [],
      calls: [],
      computeMs: 0,
      memoryBytes: 0,
      quiescent: true,
      ...fields,
    });
    /** @param {object} fields */
    const say = (fields) => channel.postMessage(frame(fields));
    const end = (fields = {}, more = {}) => raw({ reply: { ...REPLY, ...fields }, frames: seq, spent: false, ...more });
    /** @param {(message: unknown) => void} listener */
    const heard = (listener) => channel.on('message', listener);
    /** @param {number} n */
    const call = (n, fields = {}) => ({ id: n, kind: 'tool', tool: 'free', input: '{}', ...fields });
    // The text comes from this folder's own test.
    new Function('say', 'end', 'raw', 'heard', 'call', 'channel', 'port', 'request', first.source)(
      say,
      end,
      raw,
      heard,
      call,
      channel,
      port,
      first,
    );
  } else if (method === 'cancel') raw(undefined);
});
port.postMessage('codemode:up');
