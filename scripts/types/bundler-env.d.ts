/** The one thing of `process` that page code may name: bundlers put the value in its place. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };
