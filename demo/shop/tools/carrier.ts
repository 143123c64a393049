import { type Tool, ToolError, defineTool } from 'react-code-mode/core';
import { daysAgo } from '../generate.ts';
import type { Carrier } from '../types.ts';
import { type Desk, findOrder } from './desk.ts';

interface Tracking {
  readonly orderId: number;
  readonly carrier: Carrier;
  readonly state: 'announced' | 'in_transit' | 'delivered';
  readonly lastSeenOn: string;
}

/** A service outside of the shop: slow, and not always there. */
export function carrierTools(desk: Desk): Tool[] {
  return [trackParcel(desk)];
}

/**
 * Carrier C never answers. Carrier B fails the first time it is asked about an order and answers the second time.
 */
function trackParcel(desk: Desk): Tool {
  const asked = new Set<number>();
  desk.shop.subscribe(() => {
    if (desk.shop.changes() === 0) asked.clear();
  });
  return defineTool({
    name: 'track_parcel',
    title: 'Track a parcel',
    description: 'Asks the carrier where the parcel of an order is. The carriers are not ours: a call may fail.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    inputSchema: {
      type: 'object',
      properties: { orderId: { type: 'integer' } },
      required: ['orderId'],
      additionalProperties: false,
    },
    async execute({ orderId }, { signal }): Promise<Tracking> {
      const { carrier, status, ageDays } = findOrder(desk, orderId);
      await desk.pause([150, 400], signal);
      if (status === 'cancelled' || status === 'paid') {
        throw new ToolError(`Order #${orderId} is ${status}: there is no parcel yet.`, { orderId, status });
      }
      if (carrier === 'Carrier C') {
        throw new ToolError('Carrier C does not answer (503). Asking again will not help today.', { carrier, retry: false });
      }
      if (carrier === 'Carrier B' && !asked.has(orderId)) {
        asked.add(orderId);
        throw new ToolError('Carrier B is busy (429). Ask once more.', { carrier, retry: true });
      }
      const state = status === 'delivered' ? 'delivered' : status === 'shipped' ? 'in_transit' : 'announced';
      return { orderId, carrier, state, lastSeenOn: daysAgo(Math.floor(ageDays / 2)) };
    },
  });
}
