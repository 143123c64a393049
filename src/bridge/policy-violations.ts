/** Directives whose violation explains a worker that did not start. */
const RELEVANT = /^(worker-src|child-src|script-src|default-src|require-trusted-types-for|trusted-types)/;

/** Collects what the page's Content Security Policy blocked while a worker was starting. */
export function watchPolicy(): { blocked(): readonly string[]; stop(): void } {
  const blocked = new Set<string>();
  const listener = (event: Event): void => {
    const { effectiveDirective, disposition } = event as SecurityPolicyViolationEvent;
    if (disposition === 'enforce' && RELEVANT.test(effectiveDirective)) blocked.add(effectiveDirective);
  };
  const target: EventTarget | undefined = typeof document === 'undefined' ? undefined : document;
  target?.addEventListener('securitypolicyviolation', listener);
  return {
    blocked: () => [...blocked],
    stop: () => target?.removeEventListener('securitypolicyviolation', listener),
  };
}
