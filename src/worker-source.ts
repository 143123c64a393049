/**
 * Text of the worker file, for pages where the file itself cannot be loaded (then a Blob carries it). Only ever imported
 * lazily. The build of the package swaps this module for one that holds the text; from the sources it is fetched.
 */
export async function workerSource(): Promise<string> {
  const { workerUrl } = await import('./worker-url.ts');
  const response = await fetch(workerUrl);
  if (!response.ok) throw new Error(`${workerUrl.pathname} answered ${response.status}`);
  return response.text();
}
