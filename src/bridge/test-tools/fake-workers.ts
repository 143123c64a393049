/** Workers that fail or misbehave, as text that runs in a web worker and in a thread of Node. */

/** Gives `post`, `listen` and `on(call, answer)` for the calls of the page. */
const PRELUDE = `
const parent = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort;
const post = parent ? (m, t) => parent.postMessage(m, t) : self.postMessage.bind(self);
const listen = parent ? (f) => parent.on('message', f) : (f) => self.addEventListener('message', (e) => f(e.data));
const answers = {};
let channel;
listen((m) => {
  const name = m?.path?.[0];
  const args = (m?.argumentList ?? []).map((a) => a.value);
  if (name === 'init') channel = args[1];
  const reply = (value) => post({ id: m.id, type: 'RAW', value });
  answers[name]?.(args, reply);
});
const ready = (args, reply) => reply({ protocol: args[0].protocol, engine: 'fake' });
const stats = { warnings: [], notAwaited: [], computeMs: 0, peakMemoryBytes: 0 };
const done = (value, frames = 0) => ({ reply: { ...stats, status: 'completed', value }, frames, spent: false });
const frame = (runId, seq, { output = [], calls = [] } = {}) => [runId, seq, 0, 0, true, undefined, output.length, 0, 0,
  ...output.flatMap(({ kind, value }) => [kind, value, undefined, undefined]),
  ...calls.flatMap(({ id, kind, tool, input }) => [id, kind, tool, input, undefined, undefined, undefined])];
`;

const up = (body: string): string => `${PRELUDE}${body}\npost('codemode:up');`;

export const FAKE_WORKERS = {
  throwsAtStart: `throw new Error('a part is missing');`,
  silent: `${PRELUDE}`,
  neverReady: up(''),
  otherProtocol: up(`answers.init = (args, reply) => reply({ protocol: 99, engine: 'fake' });`),
  answersNonsense: up(`answers.init = (args, reply) => reply('yes');`),
  honest: up(`answers.init = ready; answers.run = (args, reply) => reply(done('"honest"'));`),
  diesInRun: up(`answers.init = ready; answers.run = () => setTimeout(() => { throw new Error('out of luck'); }, 20);`),
  throwsInRun: up(`answers.init = ready; answers.run = (args, reply) => 0; listen((m) => {
    if (m?.path?.[0] === 'run') post({ id: m.id, type: 'HANDLER', name: 'throw', value: { isError: true, value: { name: 'E', message: 'broken inside', stack: 'secret' } } });
  });`),
  /** Says it has sent two frames, sends one. */
  losesFrames: up(
    `answers.init = ready; answers.run = ([{ runId }], reply) => { channel.postMessage(frame(runId, 1)); reply(done('1', 2)); };`,
  ),
  /** The end overtakes the frames by 50 ms. */
  lateFrames: up(`answers.init = ready; answers.run = ([{ runId }], reply) => {
    reply(done('"late"', 2));
    setTimeout(() => { channel.postMessage(frame(runId, 1)); channel.postMessage(frame(runId, 2, { output: [{ kind: 'emit', value: '7' }] })); }, 50);
  };`),
  badFrame: up(
    `answers.init = ready; answers.run = ([{ runId }]) => channel.postMessage(frame(runId, 1, { calls: [{ id: 7, kind: 'tool', tool: 'x', input: '{}' }] }));`,
  ),
  badEnd: up(
    `answers.init = ready; answers.run = (args, reply) => reply({ ...done('1'), reply: { ...stats, status: 'completed', value: 5 } });`,
  ),
  /** Frames and words of other runs, then an honest end. */
  talksOfOthers: up(`answers.init = ready; answers.run = ([{ runId }], reply) => {
    channel.postMessage(frame('another-run', 1, { calls: [{ id: 1, kind: 'tool', tool: 'refund', input: '{}' }] }));
    post({ id: 'x', type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [] });
    reply(done('1'));
  };`),
  floods: up(`answers.init = ready; answers.run = () => { for (let i = 0; i < 1000; i++) post({ hello: i }); };`),
  /** Never says that it was handed what it asked for. */
  deaf: up(
    `answers.init = ready; answers.run = ([{ runId }]) => channel.postMessage(frame(runId, 1, { calls: [{ id: 1, kind: 'tool', tool: 'x', input: '{}' }] }));`,
  ),
} as const;

export type FakeWorker = keyof typeof FAKE_WORKERS;
