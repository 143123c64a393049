import { type Tool, defineTool } from 'react-code-mode/core';
import { z } from '../zod.ts';
import { CATEGORIES, type Product } from '../types.ts';
import { type Desk, findProduct } from './desk.ts';

/** The range and what is on the shelves. */
export function productTools(desk: Desk): Tool[] {
  return [searchProducts(desk), getStock(desk)];
}

function searchProducts({ shop, pause }: Desk): Tool {
  return defineTool({
    name: 'search_products',
    title: 'Search products',
    description: 'Finds products by words in the name and by category.',
    annotations: { readOnlyHint: true },
    inputSchema: z.object({
      query: z.string().optional(),
      category: z.enum(CATEGORIES).optional(),
      limit: z.number().int().min(1).max(100).default(20),
    }),
    outputSchema: z.object({
      total: z.number(),
      products: z.array(
        z.object({ id: z.string(), name: z.string(), category: z.enum(CATEGORIES), price: z.number().describe('EUR') }),
      ),
    }),
    async execute({ query, category, limit }, { signal }) {
      await pause([50, 140], signal);
      const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
      const found = shop.data.products.filter(
        (row) => (!category || row.category === category) && words.every((word) => row.name.toLowerCase().includes(word)),
      );
      return {
        total: found.length,
        products: found.slice(0, limit).map(({ id, name, category: kind, price }) => ({ id, name, category: kind, price })),
      };
    },
  });
}

type Stock = Pick<Product, 'onHand' | 'reserved' | 'reorderAt'> & { productId: string; available: number };

function getStock(desk: Desk): Tool {
  return defineTool({
    name: 'get_stock',
    title: 'Stock level',
    description: 'How many pieces of a product are on hand, reserved and free to sell.',
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: 'object',
      properties: { productId: { type: 'string', pattern: '^P-[0-9]{4}$', description: 'For example P-0042' } },
      required: ['productId'],
      additionalProperties: false,
    },
    async execute({ productId }, { signal }): Promise<Stock> {
      await desk.pause([30, 90], signal);
      const { onHand, reserved, reorderAt } = findProduct(desk, productId);
      return { productId, onHand, reserved, available: onHand - reserved, reorderAt };
    },
  });
}
