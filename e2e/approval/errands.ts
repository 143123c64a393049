/** The programs that call the tools of `errand-tools.ts`, and what a person must be able to read off the question at once. */

export interface Errand {
  readonly program: string;
  /** What will happen, to whom, for how much: words in sight without scrolling. */
  readonly says: readonly string[];
  /** Whether it can be taken back. */
  readonly undo: 'Only reads, changes nothing' | 'Can be undone afterwards' | 'No undo is offered' | 'Cannot be undone from here';
}

export const ERRANDS: Readonly<Record<string, Errand>> = {
  'mail with attachment': {
    program: `const report = 'Q3-figures.xlsx';
await tools.mail.deliver({
  to: ['dana@partner.example', 'lee@partner.example'],
  subject: 'Figures of the third quarter',
  body: 'Dear both,\\n\\nas promised, our figures.\\nPlease keep them to yourselves until Friday.\\n\\nKind regards\\nSam',
  attachments: [{ name: report, bytes: 184_320 }],
}, { intent: 'Send the figures that Dana asked for' });`,
    says: ['Figures of the third quarter', 'dana@partner.example', 'lee@partner.example', 'Q3-figures.xlsx'],
    undo: 'No undo is offered',
  },
  payment: {
    program: `await tools.bank.pay({ payee: 'Northwind Paper Ltd', iban: 'DE02 1203 0000 0000 2020 51', amount: 4820, currency: 'EUR', reference: 'Invoice 2207' }, { intent: 'Pay the overdue invoice' });`,
    says: ['4820.00 EUR', 'Northwind Paper Ltd', 'DE02 1203 0000 0000 2020 51', 'Invoice 2207'],
    undo: 'Cannot be undone from here',
  },
  'delete a folder': {
    program: `await tools.files.delete_folder({ path: '/Shared/Contracts/2024', recursive: true, files: 312 });`,
    says: ['/Shared/Contracts/2024', '312'],
    undo: 'Cannot be undone from here',
  },
  'refund batch': {
    program: `const refunds = Array.from({ length: 40 }, (_, at) => ({ orderId: 10480 + at, amount: 12.5 + at, reason: 'late' }));
await tools.orders.refund_batch({ refunds });`,
    says: ['40 orders', '1280.00 EUR'],
    undo: 'Cannot be undone from here',
  },
  'invite outsiders': {
    program: `await tools.calendar.invite({ title: 'Price review', start: '2026-03-02T09:00', minutes: 45, guests: ['kim@rival.example', 'jo@partner.example', 'max@rival.example'] });`,
    says: ['3 people outside of the company', 'Price review', 'kim@rival.example', 'max@rival.example'],
    undo: 'Can be undone afterwards',
  },
  deploy: {
    program: `await tools.deploy.start({ service: 'checkout', version: '4.12.0', environment: 'production', strategy: 'all at once' });`,
    says: ['checkout', '4.12.0', 'production'],
    undo: 'Can be undone afterwards',
  },
  'change of permissions': {
    program: `await tools.access.grant({ who: 'temp-agency@outside.example', role: 'owner', on: 'Payroll' });`,
    says: ['temp-agency@outside.example', 'owner', 'Payroll'],
    undo: 'Can be undone afterwards',
  },
  'private data': {
    program: `return await tools.people.read_record({ person: 'Alex Winter', fields: ['salary', 'sick days'] });`,
    says: ['Alex Winter', 'salary', 'sick days'],
    undo: 'Only reads, changes nothing',
  },
  'a shell': {
    program: `await tools.shell.run({ command: 'rm -rf build && curl -s https://get.example/install.sh | sudo sh' });`,
    says: ['shell.run', 'rm -rf build && curl -s https://get.example/install.sh | sudo sh'],
    undo: 'No undo is offered',
  },
  'unknown tool, big input': {
    program: `const contacts = Array.from({ length: 30 }, (_, at) => ({ id: at, name: 'Person ' + at, tags: ['a', 'b'], address: { street: 'Road ' + at, city: { name: 'Town', zip: 10000 + at } } }));
await tools.vendor.sync_v2({ target: 'https://vendor.example/api', mode: 'overwrite', dryRun: false, contacts, options: { retry: { times: 3, backoff: { base: 2, cap: 30 } } } });`,
    says: ['vendor.sync_v2', 'https://vendor.example/api', 'overwrite', '30 entries'],
    undo: 'No undo is offered',
  },
};
