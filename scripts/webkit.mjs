// The approval dialog in WebKitGTK, where its driver is installed (Debian: webkit2gtk-driver, xvfb): real keys and pointers over WebDriver.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { command, Explained, freePort } from './setup.mjs';

const DRIVER = '/usr/bin/WebKitWebDriver';
const BROWSERS = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec'].map(
  (folder) => `${folder}/webkit2gtk-4.1/MiniBrowser`,
);
const ENTER = '\uE007';
const ESCAPE = '\uE00C';
const TAB = '\uE004';
const TRANSFER = "return await tools.payments.transfer({ to: 'ACME', amount: 40 });";

/** Whether this machine can run it. */
export function hasWebKit() {
  return existsSync(DRIVER) && BROWSERS.some((file) => existsSync(file));
}

/** One browser over WebDriver. */
class Browser {
  /** @param {string} root of the session */
  constructor(root) {
    this.root = root;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async call(method, path, body) {
    const response = await fetch(this.root + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const { value } = /** @type {{ value: any }} */ (await response.json());
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  }

  /**
   * @param {string} expression
   * @returns {Promise<any>}
   */
  read(expression) {
    return this.call('POST', '/execute/sync', { script: `return ${expression}`, args: [] });
  }

  /** @param {string} expression that becomes true */
  async until(expression) {
    for (let at = 0; at < 300; at += 1) {
      if (await this.read(expression)) return;
      await wait(100);
    }
    throw new Error(`this never became true: ${expression}`);
  }

  /** @param {string} key */
  press(key) {
    const actions = [
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
    ];
    return this.call('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  /**
   * @param {string} selector
   * @param {number} ms held down
   */
  async click(selector, ms) {
    const origin = await this.call('POST', '/element', { using: 'css selector', value: selector });
    const actions = [
      { type: 'pointerMove', duration: 0, x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pause', duration: ms },
      { type: 'pointerUp', button: 0 },
    ];
    const source = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
    return this.call('POST', '/actions', { actions: [source] });
  }
}

const READY = `document.querySelector('[data-action="allow"]')?.getAttribute('aria-disabled') === 'false'`;

/** @param {Browser} browser @param {string} code @param {string} id */
async function ask(browser, code, id) {
  await browser.read(`void desk.session.run(${JSON.stringify(code)}, { id: ${JSON.stringify(id)} })`);
  await browser.until(READY);
}

/** @type {Readonly<Record<string, (browser: Browser) => Promise<void>>>} */
const CHECKS = {
  'opens as a modal with the focus on the question': async (browser) => {
    await ask(browser, TRANSFER, 'first');
    assert.equal(await browser.read("document.querySelector('dialog').matches(':modal')"), true);
    assert.equal(await browser.read('document.activeElement.tagName'), 'H2');
  },
  'takes no click of a script': async (browser) => {
    await browser.read(`document.querySelector('[data-action="allow"]').click()`);
    assert.equal(await browser.read('desk.ran.length'), 0);
  },
  'Escape means later, and the question that comes back begins a new period': async (browser) => {
    await browser.press(ESCAPE);
    await browser.until("!document.querySelector('dialog')");
    assert.equal(await browser.read('desk.session.store.getState().pending.length'), 1);
    await browser.read(`document.querySelector('[data-action="review"]').click()`);
    await browser.until("document.querySelector('dialog')");
    await browser.until(READY);
  },
  'a pointer allows': async (browser) => {
    await browser.click('[data-action="allow"]', 50);
    await browser.until('desk.ran.length === 1');
  },
  'Tab and Enter allow': async (browser) => {
    await ask(browser, TRANSFER, 'second');
    for (let at = 0; at < 20 && (await browser.read('document.activeElement.dataset.action')) !== 'allow'; at += 1)
      await browser.press(TAB);
    await browser.press(ENTER);
    await browser.until('desk.ran.length === 2');
  },
  'danger is not allowed by a click, and by holding': async (browser) => {
    await ask(browser, 'return await tools.payments.refund({ orderId: 7, amount: 12 });', 'third');
    await browser.click('[data-action="allow"]', 50);
    assert.equal(await browser.read('desk.session.store.getState().pending.length'), 1);
    await browser.click('[data-action="allow"]', 1_600);
    await browser.until('desk.ran.length === 3');
  },
};

/** @param {string} url of the page */
async function runChecks(url) {
  const port = await freePort();
  const driver = spawn('xvfb-run', ['-a', DRIVER, `--port=${port}`], { stdio: 'ignore', detached: true });
  const root = `http://127.0.0.1:${port}`;
  try {
    for (let at = 0; at < 100 && !(await fetch(`${root}/status`).catch(() => undefined)); at += 1) await wait(100);
    const binary = BROWSERS.find((file) => existsSync(file));
    const options = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } };
    const { sessionId, capabilities } = await new Browser(root).call('POST', '/session', {
      capabilities: { alwaysMatch: options },
    });
    console.log(`WebKitGTK ${capabilities.browserVersion}`);
    const browser = new Browser(`${root}/session/${sessionId}`);
    await browser.call('POST', '/url', { url });
    await browser.until("document.querySelector('textarea') && globalThis.desk");
    for (const [name, check] of Object.entries(CHECKS)) {
      await check(browser);
      console.log(`  ok  ${name}`);
    }
    await browser.call('DELETE', '');
  } finally {
    if (driver.pid) process.kill(-driver.pid);
  }
}

if (process.argv[1]?.endsWith('webkit.mjs'))
  await command(async () => {
    if (!hasWebKit()) throw new Explained('WebKitGTK and its driver are not installed (Debian: webkit2gtk-driver, xvfb, xauth).');
    // Not above: `npm test` reads this file before anything is installed.
    const { serveSite } = await import('./site.mjs');
    const site = await serveSite('e2e/approval', 'e2e-webkit');
    try {
      await runChecks(site.url);
    } finally {
      await site.close();
    }
  });
