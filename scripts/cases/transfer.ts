/**
 * Values between the harness's handlers (Node) and the product on a page, as text. Unlike JSON it keeps what handlers may
 * return by accident: cycles, BigInt, dates, maps, functions and objects that throw when looked at.
 */

type Node =
  | ['plain', unknown]
  | ['special', 'undefined' | 'NaN' | 'Infinity' | '-Infinity' | '-0' | 'function' | 'symbol' | 'hostile']
  | ['bigint', string]
  | ['date', number | null]
  | ['error', { name: string; message: string; own: [string, number][] }]
  | ['array', number[]]
  | ['object', [string, number][]]
  | ['map', [number, number][]]
  | ['set', number[]]
  | ['bytes', string, number[]];

function special(value: unknown): Node | undefined {
  if (value === undefined) return ['special', 'undefined'];
  if (typeof value === 'function') return ['special', 'function'];
  if (typeof value === 'symbol') return ['special', 'symbol'];
  if (typeof value === 'bigint') return ['bigint', String(value)];
  if (typeof value === 'number' && !Number.isFinite(value)) return ['special', String(value) as 'NaN'];
  if (Object.is(value, -0)) return ['special', '-0'];
  return typeof value === 'object' && value !== null ? undefined : ['plain', value];
}

/** @returns text; never throws. */
export function encode(root: unknown): string {
  const nodes: Node[] = [];
  const known = new Map<unknown, number>();
  const add = (value: unknown): number => {
    const seen = known.get(value);
    if (seen !== undefined && typeof value === 'object') return seen;
    const at = nodes.push(['plain', null]) - 1;
    if (typeof value === 'object' && value !== null) known.set(value, at);
    nodes[at] = special(value) ?? guarded(value as object);
    return at;
  };
  const guarded = (value: object): Node => {
    try {
      return inner(value);
    } catch {
      return ['special', 'hostile'];
    }
  };
  const entries = (value: object): [string, number][] =>
    Object.keys(value).map((key) => [key, add((value as Record<string, unknown>)[key])]);
  const inner = (value: object): Node => {
    if (Array.isArray(value)) return ['array', value.map(add)];
    if (value instanceof Date) return ['date', value.getTime()];
    if (value instanceof Map) return ['map', Array.from(value, ([key, item]): [number, number] => [add(key), add(item)])];
    if (value instanceof Set) return ['set', [...value].map(add)];
    if (value instanceof Error) return ['error', { name: value.name, message: value.message, own: entries(value) }];
    if (value instanceof ArrayBuffer) return ['bytes', 'ArrayBuffer', [...new Uint8Array(value)]];
    if (ArrayBuffer.isView(value)) {
      return ['bytes', value.constructor.name, [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]];
    }
    return ['object', entries(value)];
  };
  add(root);
  return JSON.stringify(nodes);
}

const HOSTILE: ProxyHandler<object> = {
  ownKeys() {
    throw new Error('host trap');
  },
};

const SPECIAL: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  '-0': () => -0,
  function: () => () => 1,
  symbol: () => Symbol('odd'),
  hostile: () => new Proxy({}, HOSTILE),
};

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function decode(text: string): unknown {
  const nodes = JSON.parse(text) as Node[];
  const made = new Map<number, unknown>();
  const keep = <T>(at: number, value: T): T => {
    made.set(at, value);
    return value;
  };
  const make = (at: number): unknown => {
    if (made.has(at)) return made.get(at);
    const node = nodes[at]!;
    switch (node[0]) {
      case 'plain':
        return node[1];
      case 'special':
        return keep(at, SPECIAL[node[1]]!());
      case 'bigint':
        return BigInt(node[1]);
      case 'date':
        return keep(at, new Date(node[1] ?? Number.NaN));
      case 'array': {
        const list = keep<unknown[]>(at, []);
        for (const item of node[1]) list.push(make(item));
        return list;
      }
      case 'map': {
        const map = keep(at, new Map());
        for (const [key, item] of node[1]) map.set(make(key), make(item));
        return map;
      }
      case 'set': {
        const set = keep(at, new Set());
        for (const item of node[1]) set.add(make(item));
        return set;
      }
      case 'bytes': {
        const { buffer } = Uint8Array.from(node[2]);
        if (node[1] === 'ArrayBuffer') return keep(at, buffer);
        const View = (globalThis as unknown as Record<string, new (bytes: ArrayBuffer) => unknown>)[node[1]] ?? Uint8Array;
        return keep(at, new View(buffer));
      }
      case 'error': {
        const error = keep(at, new Error(node[1].message));
        error.name = node[1].name;
        for (const [key, item] of node[1].own) define(error, key, make(item));
        return error;
      }
      case 'object': {
        const object = keep<object>(at, {});
        for (const [key, item] of node[1]) define(object, key, make(item));
        return object;
      }
    }
  };
  return make(0);
}
