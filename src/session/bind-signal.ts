/** Calls `abort` when the signal fires, at once when it already has. @returns lets go of the signal, which may live for longer */
export function bindSignal(signal: AbortSignal | undefined, abort: (reason: string | undefined) => void): () => void {
  if (!signal) return () => {};
  const fire = (): void => abort(reasonOf(signal));
  if (signal.aborted) {
    fire();
    return () => {};
  }
  signal.addEventListener('abort', fire, { once: true });
  return () => signal.removeEventListener('abort', fire);
}

function reasonOf({ reason }: AbortSignal): string | undefined {
  if (typeof reason === 'string') return reason;
  return reason instanceof Error && reason.name !== 'AbortError' ? reason.message : undefined;
}
