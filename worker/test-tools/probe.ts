/** Looks at the real worker's realm from inside, after the lock-down: text to append to the worker file. */

export interface RealmSurvey {
  /** Names on the global object and its prototypes, up to `Object.prototype`, that still hold a value. */
  readonly globals: readonly string[];
  /** The same for `navigator` and, in Node, `process`, both captured before. */
  readonly navigator: readonly string[];
  readonly process: readonly string[];
  /** What `process` still gives away: names of the environment, arguments. */
  readonly environment: readonly string[];
  /** Ways out that were tried, and what came of each: `refused: …` or `open: …`. */
  readonly attempts: Readonly<Record<string, string>>;
}

export const PROBE = `;(() => {
  const host = globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort;
  const post = host ? (m) => host.postMessage(m) : self.postMessage.bind(self);
  const listen = host ? (f) => host.on('message', f) : (f) => addEventListener('message', (e) => f(e.data));
  const { process, navigator } = globalThis;
  const env = process?.env, argv = [...(process?.argv ?? []).slice(2), ...(process?.execArgv ?? [])];
  const names = (target) => {
    const found = new Set();
    for (let o = target; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) {
      for (const key of Reflect.ownKeys(o)) {
        const { value, get } = Reflect.getOwnPropertyDescriptor(o, key);
        if (value !== undefined || get !== undefined) found.add(String(key));
      }
    }
    return [...found].sort();
  };
  const attempt = async (work) => {
    try { return 'open: ' + String(await work()); } catch (error) { return 'refused: ' + error?.message; }
  };
  const ways = {
    fetch: () => fetch('/'),
    'inherited fetch': () => Object.getPrototypeOf(Object.getPrototypeOf(globalThis)).fetch.call(globalThis, '/'),
    importScripts: () => importScripts('data:text/javascript,1'),
    WebSocket: () => new WebSocket('ws://127.0.0.1:9'),
    XMLHttpRequest: () => new XMLHttpRequest(),
    EventSource: () => new EventSource('/'),
    BroadcastChannel: () => new BroadcastChannel('x'),
    Worker: () => new Worker('data:text/javascript,1'),
    indexedDB: () => indexedDB.open('x'),
    caches: () => caches.open('x'),
    postMessage: () => postMessage('hello'),
    close: () => close(),
    sendBeacon: () => navigator.sendBeacon('/', 'x'),
    eval: () => eval('1'),
    'indirect eval': () => (0, globalThis.eval)('1'),
    Function: () => (() => {}).constructor('return 1')(),
    AsyncFunction: () => (async () => {}).constructor('return 1')(),
    GeneratorFunction: () => (function* () {}).constructor('return 1')(),
    AsyncGeneratorFunction: () => (async function* () {}).constructor('return 1')(),
    setTimeoutText: () => setTimeout('1'),
    createObjectURL: () => URL.createObjectURL(new Blob(['x'])),
    require: () => require('node:fs'),
    getBuiltinModule: () => process.getBuiltinModule('node:fs'),
    binding: () => process.binding('fs'),
    dlopen: () => process.dlopen({ exports: {} }, '/nothing'),
    mainModule: () => process.mainModule.require('node:fs'),
    kill: () => process.kill(process.pid, 0),
    'import of data': () => import('data:text/javascript,export default 1'),
    'import of a module': () => import(host ? 'node:fs' : '/anything.js'),
  };
  listen(async (message) => {
    if (message?.probe !== true) return;
    const attempts = {};
    for (const name in ways) attempts[name] = await attempt(ways[name]);
    post({ survey: { globals: names(globalThis), navigator: names(navigator), process: names(process), environment: [...Object.keys(env ?? {}), ...argv], attempts } });
  });
})();`;

/** Chromium will not have these two numbers removed: constants of a file system that never came. */
export const HARMLESS_CONSTANTS: ReadonlySet<string> = new Set(['TEMPORARY', 'PERSISTENT']);

/** Asks a worker that runs the file with the probe, after its `init`. */
export function surveyOf(port: {
  onMessage(listener: (data: unknown) => void): void;
  post(message: unknown): void;
}): Promise<RealmSurvey> {
  return new Promise((resolve) => {
    port.onMessage((message) => {
      const { survey } = message as { survey?: RealmSurvey };
      if (survey) resolve(survey);
    });
    port.post({ probe: true });
  });
}

/** Everything that holds a value on the global object, besides the list: nothing. */
export function unknownGlobals(survey: RealmSurvey, known: ReadonlySet<string>): readonly string[] {
  return survey.globals.filter((name) => !known.has(name) && name !== String(Symbol.toStringTag));
}

export function openWays(survey: RealmSurvey): readonly string[] {
  return Object.keys(survey.attempts).filter((way) => !survey.attempts[way]?.startsWith('refused: '));
}
