import type { Tool } from 'react-code-mode/core';
import { carrierTools } from './carrier.ts';
import { customerTools } from './customers.ts';
import type { Desk } from './desk.ts';
import { orderTools } from './orders.ts';
import { productTools } from './products.ts';
import { reportTools } from './reports.ts';
import { ticketTools } from './tickets.ts';

/** The fourteen tools of the support desk. */
export function createShopTools(desk: Desk): Tool[] {
  return [
    ...customerTools(desk),
    ...orderTools(desk),
    ...productTools(desk),
    ...ticketTools(desk),
    ...reportTools(desk),
    ...carrierTools(desk),
  ];
}
