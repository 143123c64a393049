import { useState } from 'react';
import { ApprovalDialog, CodeModeProvider, TracePanel, useCodeMode } from 'react-code-mode';
import { type RunOutcome, defineTool } from 'react-code-mode/core';
import 'react-code-mode/styles.css';
import { createRoot } from 'react-dom/client';

const tools = [
  defineTool({
    name: 'stock.count',
    inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
    risk: 'read',
    execute: ({ sku }: { sku: string }) => ({ sku, count: sku.length * 7 }),
  }),
  defineTool({
    name: 'stock.order',
    inputSchema: {
      type: 'object',
      properties: { sku: { type: 'string' }, amount: { type: 'number' } },
      required: ['sku', 'amount'],
    },
    needsApproval: true,
    execute: ({ sku, amount }: { sku: string; amount: number }) => `ordered ${amount} of ${sku}`,
  }),
];

const PROGRAM = `
const { count } = await tools.stock.count({ sku: 'lamp' });
return await tools.stock.order({ sku: 'lamp', amount: 100 - count });`;

function words(outcome: RunOutcome): string {
  if (outcome.status === 'completed') return JSON.stringify(outcome.value);
  return outcome.status === 'failed' ? outcome.error.message : 'cancelled';
}

function App() {
  const handle = useCodeMode({ tools, sessionId: 'stock' });
  const [result, setResult] = useState('');
  return (
    <CodeModeProvider value={handle}>
      <button type="button" onClick={() => void handle.run(PROGRAM).outcome.then((outcome) => setResult(words(outcome)))}>
        Run
      </button>
      <output>{result}</output>
      <ApprovalDialog />
      <TracePanel />
    </CodeModeProvider>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
