// @ts-nocheck: it runs in a web worker and in a thread of Node, and does what no type allows.
/**
 * A worker whose engine was broken out of: it speaks the protocol up to the run, then the program's text says what it does.
 * `say(fields)` sends a frame, `end(fields)` the run's answer, `raw` goes over the Comlink port, `channel` is the other one,
 * `die` ends the worker without a word.
 */
const parent = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort;
const port = parent ?? { postMessage: self.postMessage.bind(self) };
const listen = parent
  ? (listener) => parent.on('message', listener)
  : (listener) => self.addEventListener('message', ({ data }) => listener(data));
const die = parent ? () => globalThis.process.exit(3) : self.close.bind(self);
const REPLY = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0, status: 'completed', value: '"lie"' };
let channel;

/** A frame as it crosses. What is no list stands where the length of one belongs. */
function packed({ runId, seq, computeMs, memoryBytes, quiescent, nextTimerMs, ...lists }) {
  const head = [runId, seq, computeMs, memoryBytes, quiescent, nextTimerMs];
  const { output, delivered, clock, calls } = lists;
  if (!Object.values(lists).every(Array.isArray)) return [...head, output, delivered, clock, calls];
  const rows = (list, row) => Array.from(list, (item) => row(item ?? {})).flat();
  return [
    ...head,
    output.length,
    delivered.length,
    clock.length,
    ...rows(output, ({ kind, level = kind, text, value, site }) => [level, text ?? value, site?.line, site?.column]),
    ...rows(delivered, ({ kind, id }) => [kind, id]),
    ...clock.flat(),
    ...rows(calls, ({ id, kind, tool, input, site, intent }) => [id, kind, tool, input, site?.line, site?.column, intent]),
  ];
}

listen(({ id, path, argumentList = [] }) => {
  const [method] = path ?? [];
  const raw = (value) => port.postMessage({ id, type: 'RAW', value });
  const [first, second] = argumentList.map(({ value }) => value);
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
    const say = (fields) => channel.postMessage(packed(frame(fields)));
    const end = (fields = {}, more = {}) => raw({ reply: { ...REPLY, ...fields }, frames: seq, spent: false, ...more });
    const heard = (listener) => {
      channel.onmessage = listener;
    };
    const call = (n, fields = {}) => ({ id: n, kind: 'tool', tool: 'free', input: '{}', ...fields });
    // The text comes from this folder's own test.
    new Function('frame', 'packed', 'say', 'end', 'raw', 'heard', 'call', 'channel', 'port', 'request', 'die', first.source)(
      frame,
      packed,
      say,
      end,
      raw,
      heard,
      call,
      channel,
      port,
      first,
      die,
    );
  } else if (method === 'cancel') raw(undefined);
});
port.postMessage('codemode:up');
