/** A page with one durable session, for tests that open it in several tabs. What ran is counted where all tabs see it. */
import { createCodeMode } from 'react-code-mode/core';
import { indexedDbStorage, leaseOwnership } from 'react-code-mode/journal';

const lease = new URLSearchParams(location.search).has('lease');
const name = 'tabs';
const codeMode = createCodeMode({
  storage: indexedDbStorage({ name, ...(lease && { ownership: leaseOwnership(name) }) }),
  tools: [
    {
      name: 'pay',
      needsApproval: true,
      execute(input: unknown) {
        const ran = JSON.parse(localStorage.getItem('ran') ?? '[]') as unknown[];
        localStorage.setItem('ran', JSON.stringify([...ran, input]));
        return { paid: true };
      },
    },
  ],
});

declare global {
  /** For the test. */
  var session: ReturnType<typeof codeMode.session>;
}
globalThis.session = codeMode.session({ id: 'chat' });
