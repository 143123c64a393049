import type { Script } from './script.ts';
import { factsOf, sayFailure } from './facts.ts';

const code = `// What sold, and which products of the strongest category run low.
const { rows } = await tools.sales_report({ groupBy: 'category', maxAgeDays: 90 });
const [best] = rows;

const { products } = await tools.search_products({ category: best.key, limit: 40 });
const levels = await Promise.all(products.map((product) => tools.get_stock({ productId: product.id })));
const low = levels
  .filter((level) => level.available < level.reorderAt)
  .map((level) => ({ id: level.productId, name: products.find((p) => p.id === level.productId).name, available: level.available }));

return { rows, best: best.key, checked: levels.length, low };
`;

interface Facts {
  rows: { key: string; revenue: number }[];
  best: string;
  checked: number;
  low: { id: string; name: string; available: number }[];
}

/** Looks for tools first, then reads a lot and says little. Nothing to approve. */
export const reorder: Script = {
  id: 'reorder',
  label: 'Find what to reorder',
  prompt: 'What sold best in the last 90 days, and what of it should we reorder?',
  words: /sold|sales|stock|reorder/i,
  next([tools, answer]) {
    if (!tools) {
      return {
        say: 'Let me see which tools know about sales and stock.',
        call: { tool: 'getTools', input: { query: 'sales stock products' } },
      };
    }
    if (!answer) {
      return {
        say: 'One program can read the report and the stock of every product in the best category.',
        call: { tool: 'executeCode', input: { title: 'Best category and its stock', code } },
      };
    }
    const facts = factsOf<Facts>(answer);
    if (!facts) return sayFailure(answer, 'Nothing was changed.');
    const ranks = facts.rows.map((row, index) => `${index + 1}. ${row.key}: ${Math.round(row.revenue).toLocaleString('en')} EUR`);
    const low = facts.low.map((product) => `– ${product.name} (${product.id}): ${product.available} left`);
    return {
      say: `Revenue by category:\n${ranks.join('\n')}\n\nOf ${facts.checked} products in ${facts.best}, ${facts.low.length} are below their reorder level:\n${low.join('\n')}`,
    };
  },
};
