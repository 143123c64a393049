/** The playground's own strict policy, as a meta element of the built page (dev needs inline scripts, so only there). */
import type { Plugin } from 'vite';

/**
 * No inline script, no eval, no foreign code. `connect-src` stays open to https and this machine because people may
 * bring the address of their own model; everything else is the page's own.
 */
export const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  // Browsers give style attributes to text that is edited in place; blocked ones would fill the console.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export function pagePolicy(): Plugin {
  return {
    name: 'react-code-mode:page-policy',
    apply: 'build',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_CSP }, injectTo: 'head-prepend' },
    ],
  };
}
