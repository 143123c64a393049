/** The guest half of the prototype: promises by number. Evaluated in the sandbox as text. */
export const GUEST = `
  const pending = new Map();
  let last = 0;
  globalThis.tools = new Proxy({}, {
    get: (_, name) => (input) => new Promise((resolve, reject) => {
      pending.set(++last, [resolve, reject]);
      __call(last, name, JSON.stringify(input));
    }),
  });
  globalThis.__settle = (text) => {
    for (const [id, value] of JSON.parse(text)) {
      pending.get(id)[0](value);
      pending.delete(id);
    }
  };
`;
