declare module 'virtual:guest-source' {
  /** Function expression of the prelude; called once per context with the host function. */
  export const prelude: string;
  /** Function expressions of the parts that load when a program first uses them, by name. */
  export const extras: Readonly<Record<string, string>>;
  /** Tells two preludes apart in a journal. */
  export const fingerprint: string;
}
