/** Tools of an invented payments desk, one for each kind of question. They count what they did and do nothing. */
import { defineTool, type Tool } from 'react-code-mode/core';
import { done, ran } from './done.ts';
import { errandTools } from './errand-tools.ts';

export const tools: readonly Tool[] = [
  defineTool({ name: 'orders.list', title: 'List orders', risk: 'read', execute: done('orders.list', [{ id: 7, total: 40 }]) }),
  defineTool({
    name: 'orders.cancel',
    title: 'Cancel an order',
    needsApproval: true,
    inputSchema: {
      type: 'object',
      properties: {
        orderId: { type: 'integer' },
        reason: { type: 'string', minLength: 3, description: 'The customer reads it' },
      },
      required: ['orderId', 'reason'],
    },
    describeCall: (input: { orderId: number }) => `Cancel order #${input.orderId}?`,
    execute: done('orders.cancel'),
    revert: (input) => void ran.push({ tool: 'orders.cancel, taken back', input }),
  }),
  defineTool({
    name: 'payments.transfer',
    title: 'Transfer money',
    needsApproval: true,
    inputSchema: {
      type: 'object',
      properties: {
        to: { type: 'string' },
        amount: { type: 'number', exclusiveMinimum: 0, maximum: 1000 },
        currency: { type: 'string', enum: ['EUR', 'USD'] },
        urgent: { type: 'boolean' },
        note: { type: 'string' },
      },
      required: ['to', 'amount'],
    },
    outputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    describeCall: (input: { to: string; amount: number; currency?: string }) =>
      `Transfer ${input.amount.toFixed(2)} ${input.currency ?? 'EUR'} to ${input.to}?`,
    execute: done('payments.transfer', { id: 't-1' }),
  }),
  defineTool({
    name: 'payments.refund',
    title: 'Refund an order',
    risk: 'danger',
    describeCall: (input: { orderId: number; amount: number }) =>
      `Refund ${input.amount.toFixed(2)} EUR for order #${input.orderId}?`,
    execute: done('payments.refund'),
  }),
  defineTool({
    name: 'mail.send',
    title: 'Send an e-mail',
    needsApproval: true,
    describeCall: (input: { to: string }) => `Send this e-mail to ${input.to}?`,
    execute: done('mail.send'),
  }),
  defineTool({ name: 'crm.sync', needsApproval: true, execute: done('crm.sync') }),
  defineTool({ name: 'pay', needsApproval: true, execute: done('pay') }),
  ...errandTools,
];
