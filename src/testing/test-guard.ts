/**
 * A guard for component tests: no quiet period, and the synthetic events of testing libraries decide.
 * `<ApprovalDialog guard={testGuard()} />`.
 * @throws Error in a production build, where it would let scripts approve calls
 */
export function testGuard(): { readonly periodMs: number; readonly acceptsUntrusted: true } {
  if (isProduction()) {
    throw new Error(
      'testGuard() belongs to tests: it lets scripts approve calls. This is a production build, so it is refused. Remove it from the application.',
    );
  }
  return { periodMs: 0, acceptsUntrusted: true };
}

/** Bundlers put the value in; where nobody did, the answer is the careful one. */
function isProduction(): boolean {
  try {
    return process.env['NODE_ENV'] === 'production';
  } catch {
    return true;
  }
}
