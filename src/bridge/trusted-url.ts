/** Where the page demands Trusted Types, a worker's address must come from a policy; ours passes the address it is asked for. */

/** Name to allow: `Content-Security-Policy: trusted-types codemode-kit`. */
export const TRUSTED_TYPES_POLICY = 'codemode-kit';

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(input: string): string }): { createScriptURL(input: string): unknown };
}

// A name can be given to one policy per page, so it lives as long as the page.
let policy: { createScriptURL(input: string): unknown } | undefined;
let asked = false;

/** The address as the `Worker` constructor wants it here. */
export function trustedScriptUrl(url: string): string {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  if (factory && !asked) {
    asked = true;
    try {
      policy = factory.createPolicy(TRUSTED_TYPES_POLICY, { createScriptURL: (input) => input });
    } catch {
      // Not allowed by the page, or a second copy of the package took the name: the plain address may still do.
    }
  }
  return (policy ? policy.createScriptURL(url) : url) as string;
}
