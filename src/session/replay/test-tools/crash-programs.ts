/**
 * Twenty programs whose outcome depends on nothing but what their tools give. Each call has an id of its own. Tools: `read`
 * only reads, `put` and `fail` may be repeated, `send` may not, `pay` and `wire` ask a person, `slow` takes time.
 */
export const PROGRAMS: Readonly<Record<string, string>> = {
  'one after another': `const sums = [];
for (let i = 0; i < 30; i++) sums.push((await tools.send({ id: 's' + i, n: i })).n);
return sums.reduce((a, b) => a + b, 0);`,

  'all at once': `const all = await Promise.all(Array.from({ length: 30 }, (_, i) => tools.send({ id: 'p' + i, n: i })));
return all.map(({ n }) => n);`,

  'reads and writes': `let total = 0;
for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
  const { n } = await tools.read({ id: 'r' + id, n: 2 });
  await tools.put({ id: 'w' + id, n });
  total += n;
}
return total;`,

  'a chain of approvals': `const paid = [];
for (let i = 0; i < 8; i++) paid.push((await tools.pay({ id: 'pay' + i, n: i * 10 })).n);
return paid;`,

  'approvals at once': `const done = await Promise.allSettled([
  tools.pay({ id: 'one', n: 1 }), tools.pay({ id: 'two', n: 2 }), tools.pay({ id: 'deny-three', n: 3 }),
  tools.wire({ id: 'four', n: 4 }), tools.send({ id: 'five', n: 5 }),
]);
return done.map(({ status, value, reason }) => [status, value?.n ?? reason.code]);`,

  'a denial that is caught': `try { await tools.pay({ id: 'deny-1', n: 1 }); } catch (error) { console.log('denied:', error.code); }
const { n } = await tools.send({ id: 'after', n: 9 });
console.log('sent', n);
return n;`,

  'a denial that is not caught': `await tools.send({ id: 'before', n: 1 });
await tools.pay({ id: 'deny-2', n: 1 });
return 'not reached';`,

  'answers instead of the tool': `const { n } = await tools.pay({ id: 'answer-1', n: 1 });
const more = await tools.pay({ id: 'answer-2', n });
return [n, more.n];`,

  'changed inputs': `const first = await tools.pay({ id: 'edit-1', n: 1 });
const second = await tools.pay({ id: 'edit-2', n: 2 });
return first.n + second.n;`,

  'failures that are caught': `const seen = [];
for (let i = 0; i < 12; i++) {
  try { await (i % 2 ? tools.fail({ id: 'f' + i, n: i }) : tools.send({ id: 'ok' + i, n: i })); seen.push(i); }
  catch (error) { seen.push(error.message); }
}
return seen;`,

  'a failure that is not caught': `await Promise.all([tools.send({ id: 'x', n: 1 }), tools.send({ id: 'y', n: 2 })]);
await tools.fail({ id: 'z', n: 3 });`,

  'an error of its own': `const { n } = await tools.send({ id: 'last', n: 4 });
console.warn('about to throw', n);
throw new TypeError('no ' + n);`,

  timers: `const log = [];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
for (let i = 0; i < 10; i++) { await wait(2); log.push((await tools.send({ id: 't' + i, n: i })).n); }
await Promise.race([wait(1), tools.slow({ id: 'late', n: 0, ms: 1 })]);
return log;`,

  'an interval': `let ticks = 0;
await new Promise((resolve) => {
  const id = setInterval(() => { ticks++; void tools.put({ id: 'tick' + ticks, n: ticks }); if (ticks === 10) { clearInterval(id); resolve(); } }, 1);
});
await tools.send({ id: 'end', n: ticks });
return ticks;`,

  random: `const mine = Array.from({ length: 12 }, () => Math.random());
const same = [];
for (const [i, r] of mine.entries()) same.push((await tools.send({ id: 'rnd' + i, n: 0, r })).r === r);
const uuid = crypto.randomUUID();
same.push((await tools.pay({ id: 'uuid', n: 0, r: uuid })).r === uuid);
return same;`,

  'the clock': `const start = Date.now();
const { r } = await tools.send({ id: 'now', n: 0, r: start });
const { r: again } = await tools.pay({ id: 'then', n: 0, r: start });
const end = performance.now();
await tools.send({ id: 'end', n: 0, r: new Date(Date.now()).toISOString() });
return [r === start, again === start, Date.now() >= start, performance.now() >= end];`,

  output: `console.log('begin');
for (let i = 0; i < 10; i++) {
  const { n } = await tools.send({ id: 'out' + i, n: i });
  console.log('line', n, 'of', i);
  codemode.emit({ i, n });
}
console.info('end');
return 'done';`,

  races: `const winner = await Promise.race([tools.slow({ id: 'fast', n: 1, ms: 1 }), tools.pay({ id: 'person', n: 2 })]);
const { n } = await tools.send({ id: 'after', n: 3 });
return [typeof winner.n, n];`,

  'questions to the catalogue': `const [{ name }] = await codemode.search('pays an amount');
const { call } = await codemode.describe(name);
const { n } = await tools[name]({ id: 'found', n: 7 });
return [name, call, n];`,

  'many things at once': `const order = [];
const step = async (i) => {
  const { n } = await tools.read({ id: 'read' + i, n: i });
  if (i % 3 === 0) await tools.pay({ id: 'pay' + i, n });
  await tools.slow({ id: 'slow' + i, n, ms: i % 2 });
  order.push(n);
};
await Promise.all(Array.from({ length: 9 }, (_, i) => step(i)));
console.log(order.length);
return order.sort((a, b) => a - b);`,
};
