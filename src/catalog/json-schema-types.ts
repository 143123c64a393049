/** The TypeScript type of values that fit a JSON Schema written as a literal. What it cannot say is `unknown`. */
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** Type of a handler's input for a schema of any kind. A schema whose words TypeScript does not know gives `any`. */
export type SchemaValue<S> =
  S extends StandardSchemaV1<any, infer T> ? T : string extends keyof S ? any : S extends object ? JsonValueOf<S> : any;

/** Types for the keywords `type`, `properties`, `required`, `items`, `enum`, `const`, `anyOf`, `oneOf`, `allOf`. */
export type JsonValueOf<S> = S extends { readonly const: infer V }
  ? V
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly anyOf: readonly (infer P)[] }
      ? JsonValueOf<P>
      : S extends { readonly oneOf: readonly (infer P)[] }
        ? JsonValueOf<P>
        : S extends { readonly allOf: infer L extends readonly unknown[] }
          ? AllOf<L>
          : S extends { readonly type: readonly (infer T)[] }
            ? TypeWord<T, S>
            : S extends { readonly type: infer T }
              ? TypeWord<T, S>
              : S extends { readonly properties: object }
                ? ObjectOf<S>
                : unknown;

type AllOf<L extends readonly unknown[]> = L extends readonly [infer First, ...infer Rest]
  ? JsonValueOf<First> & AllOf<Rest>
  : unknown;

type TypeWord<T, S> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? ItemsOf<S>[]
          : T extends 'object'
            ? ObjectOf<S>
            : unknown;

type ItemsOf<S> = S extends { readonly items: infer I } ? JsonValueOf<I> : unknown;

type RequiredOf<S> = S extends { readonly required: readonly (infer K)[] } ? K : never;

type ObjectOf<S> = S extends { readonly properties: infer P }
  ? Flatten<
      { -readonly [K in keyof P as K extends RequiredOf<S> ? K : never]: JsonValueOf<P[K]> } & {
        -readonly [K in keyof P as K extends RequiredOf<S> ? never : K]?: JsonValueOf<P[K]>;
      }
    >
  : S extends { readonly additionalProperties: infer V extends object }
    ? Record<string, JsonValueOf<V>>
    : Record<string, unknown>;

/** One object type instead of an intersection, as editors show it. */
type Flatten<T> = { [K in keyof T]: T[K] };
