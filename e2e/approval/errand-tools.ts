/** Tools of ten errands that people give assistants, as applications describe them; the last two say nothing about themselves. */
import { defineTool, type Tool } from 'react-code-mode/core';
import { done } from './done.ts';

interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly attachments: readonly { readonly name: string }[];
}

interface Refunds {
  readonly refunds: readonly { readonly orderId: number; readonly amount: number }[];
}

const sum = ({ refunds }: Refunds): string => refunds.reduce((total, { amount }) => total + amount, 0).toFixed(2);

export const errandTools: readonly Tool[] = [
  defineTool({
    name: 'mail.deliver',
    title: 'Send an e-mail',
    needsApproval: true,
    describeCall: ({ to, subject, attachments }: Mail) =>
      `Send “${subject}” with ${attachments.map(({ name }) => name).join(', ')} to ${to.join(' and ')}?`,
    execute: done('mail.deliver'),
  }),
  defineTool({
    name: 'bank.pay',
    title: 'Pay an invoice',
    risk: 'danger',
    describeCall: ({ amount, payee }: { amount: number; payee: string }) => `Pay ${amount.toFixed(2)} EUR to ${payee}?`,
    execute: done('bank.pay'),
  }),
  defineTool({
    name: 'files.delete_folder',
    title: 'Delete a folder',
    risk: 'danger',
    describeCall: ({ path, files }: { path: string; files: number }) => `Delete ${path} with ${files} files for ever?`,
    execute: done('files.delete_folder'),
  }),
  defineTool({
    name: 'orders.refund_batch',
    title: 'Refund several orders',
    risk: 'danger',
    describeCall: (input: Refunds) => `Refund ${input.refunds.length} orders, ${sum(input)} EUR together?`,
    execute: done('orders.refund_batch'),
  }),
  defineTool({
    name: 'calendar.invite',
    title: 'Invite to a meeting',
    needsApproval: true,
    describeCall: ({ title, guests }: { title: string; guests: readonly string[] }) =>
      `Invite ${guests.length} people outside of the company to “${title}”?`,
    execute: done('calendar.invite'),
    revert: () => {},
  }),
  defineTool({
    name: 'deploy.start',
    title: 'Deploy to production',
    needsApproval: true,
    describeCall: ({ service, version }: { service: string; version: string }) => `Put ${service} ${version} into production?`,
    execute: done('deploy.start'),
    revert: () => {},
  }),
  defineTool({
    name: 'access.grant',
    title: 'Give access',
    risk: 'danger',
    describeCall: ({ who, role, on }: { who: string; role: string; on: string }) => `Make ${who} ${role} of ${on}?`,
    execute: done('access.grant'),
    revert: () => {},
  }),
  defineTool({
    name: 'people.read_record',
    title: 'Read a personnel record',
    risk: 'read',
    needsApproval: true,
    describeCall: ({ person, fields }: { person: string; fields: readonly string[] }) =>
      `Let the assistant read ${fields.join(', ')} of ${person}?`,
    execute: done('people.read_record'),
  }),
  defineTool({
    name: 'shell.run',
    description: 'Runs a command of the shell on the build server, with the rights of the deploying user.',
    needsApproval: true,
    execute: done('shell.run'),
  }),
  defineTool({ name: 'vendor.sync_v2', needsApproval: true, execute: done('vendor.sync_v2') }),
];
