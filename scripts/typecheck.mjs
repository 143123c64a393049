// Type-checks every tsconfig*.json with the native compiler: each folder sees only the platform it runs on.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const compiler = join('node_modules', 'typescript7', 'bin', 'tsc');
const projects = readdirSync('.').filter((name) => /^tsconfig.*\.json$/.test(name) && name !== 'tsconfig.base.json');

/**
 * @param {string} project
 * @returns {Promise<boolean>}
 */
function check(project) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [compiler, '-p', project, '--pretty', 'false'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${project}`);
      if (code !== 0) console.log(text.trim().replace(/^/gm, '     '));
      resolve(code === 0);
    });
  });
}

const queue = [...projects];
let failed = 0;
async function work() {
  for (let project = queue.shift(); project; project = queue.shift()) if (!(await check(project))) failed++;
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
console.log(
  failed === 0 ? `${projects.length} projects type-check.` : `${failed} of ${projects.length} projects do not type-check.`,
);
process.exitCode = failed === 0 ? 0 : 1;
