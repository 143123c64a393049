/** Finds what a schema's references point to, and which of its parts stand in more than one place. */
import { eachSubschema, isSchemaObject } from './schema-keywords.ts';

type Raw = Record<string, unknown>;

/** Deeper nesting is a mistake or an attack: the deepest schema in 9,000 public tools has 14 levels. */
const MAX_SCHEMA_DEPTH = 500;
/** A part that is used twice gets a name when it is larger than this many schemas; smaller ones are copied. */
const COPY_LIMIT = 50;
const META_SCHEMA = /^https?:\/\/json-schema\.org\/(draft-0[4-7]|draft\/20\d\d-\d\d)\/schema#?$/;
const ANY_SCHEMA: Raw = { type: ['object', 'boolean'] };
const NO_BASE = 'schema:/';

export interface SchemaIndex {
  /** What `$ref` (or its older and dynamic forms) of `holder` means; undefined when it points nowhere. */
  resolve(ref: string, holder: Raw): unknown;
  /** True when a copy of this part would be endless or wasteful, so that it needs a name. */
  needsName(schema: Raw): boolean;
}

interface Resource {
  readonly root: Raw;
  readonly base: string;
}

/** @throws RangeError when the nesting is too deep. */
export function indexSchema(root: Raw): SchemaIndex {
  const resources = new Map<string, Raw>();
  const anchors = new Map<Raw, Map<string, Raw>>();
  const owner = new Map<Raw, Resource>();
  const open = new Set<Raw>();
  const cyclic = new Set<Raw>();
  const uses = new Map<Raw, number>();
  const sizes = new Map<Raw, number>();

  function enter(schema: unknown, parent: Resource, depth: number): number {
    if (!isSchemaObject(schema)) return 1;
    if (open.has(schema)) {
      cyclic.add(schema);
      return 1;
    }
    uses.set(schema, (uses.get(schema) ?? 0) + 1);
    const known = sizes.get(schema);
    if (known !== undefined) return known;
    if (depth > MAX_SCHEMA_DEPTH) throw new RangeError(`nested deeper than ${MAX_SCHEMA_DEPTH} levels`);
    open.add(schema);
    const resource = claim(schema, parent);
    let size = 1;
    eachSubschema(schema, (child) => {
      size += enter(child, resource, depth + 1);
    });
    open.delete(schema);
    sizes.set(schema, Math.min(size, Number.MAX_SAFE_INTEGER));
    return size;
  }

  function claim(schema: Raw, parent: Resource): Resource {
    const id = [schema.$id, schema.id].find((value) => typeof value === 'string') as string | undefined;
    const opens = id !== undefined && !id.startsWith('#') && schema !== root;
    const base = id === undefined || id.startsWith('#') ? parent.base : absolute(id, parent.base);
    const resource = opens ? { root: schema, base } : { root: parent.root, base };
    owner.set(schema, resource);
    if (opens || schema === root) resources.set(base.replace(/#$/, ''), schema);
    const names = anchors.get(resource.root) ?? new Map<string, Raw>();
    anchors.set(resource.root, names);
    for (const name of [schema.$anchor, schema.$dynamicAnchor]) if (typeof name === 'string') names.set(name, schema);
    if (id?.startsWith('#')) names.set(id.slice(1), schema);
    return resource;
  }

  function resolve(ref: string, holder: Raw): unknown {
    const { root: local, base } = owner.get(holder) ?? { root, base: NO_BASE };
    if (META_SCHEMA.test(ref)) return ANY_SCHEMA;
    const hash = ref.indexOf('#');
    const address = hash < 0 ? ref : ref.slice(0, hash);
    const fragment = hash < 0 ? '' : decode(ref.slice(hash + 1));
    if (address === '') return inside(local, fragment) ?? (local === root ? undefined : inside(root, fragment));
    const target = resources.get(absolute(address, base)) ?? resources.get(address);
    return target && inside(target, fragment);
  }

  function inside(target: Raw, fragment: string): unknown {
    if (fragment === '') return target;
    return fragment.startsWith('/') ? follow(target, fragment) : anchors.get(target)?.get(fragment);
  }

  enter(root, { root, base: NO_BASE }, 0);
  return {
    resolve,
    needsName: (schema) => cyclic.has(schema) || ((uses.get(schema) ?? 0) > 1 && (sizes.get(schema) ?? 0) > COPY_LIMIT),
  };
}

function absolute(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function follow(target: unknown, pointer: string): unknown {
  let at: unknown = target;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Raw)[key];
  }
  return typeof at === 'boolean' || isSchemaObject(at) ? at : undefined;
}
