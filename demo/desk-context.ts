import { createContext, use } from 'react';
import type { Desk } from './desk.ts';

const DeskContext = createContext<Desk | null>(null);

export const DeskProvider: typeof DeskContext.Provider = DeskContext.Provider;

/** @throws Error outside of `DeskProvider` */
export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk) return desk;
  throw new Error('useDesk needs a DeskProvider above it.');
}
