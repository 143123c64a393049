// Imports the peers that Node can run. Lies here because packages are looked for beside the importing file.

/** @type {Readonly<Record<string, string>>} */
const PACKAGES = {
  run: 'run',
  'pi-codemode': '@earendil-works/pi-codemode',
  sebastianwessel: '@sebastianwessel/quickjs',
  'quickjs-ng': '@jitl/quickjs-ng-wasmfile-release-sync',
  tanstack: '@tanstack/ai-isolate-quickjs',
};

/**
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export async function load(name) {
  const specifier = PACKAGES[name];
  if (specifier === undefined) throw new Error(`not for Node`);
  return import(specifier);
}
