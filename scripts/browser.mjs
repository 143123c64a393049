// Finds a Chromium (and a Firefox) to test in, and installs a Chromium where there is none. Node builtins and Playwright only.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CHROMIUM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
  'brave-browser',
];
const FIREFOX_NAMES = ['firefox-esr', 'firefox'];
/** @type {Partial<Record<NodeJS.Platform, string[]>>} */
const KNOWN_PLACES = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/**
 * Features of Chromium that are off. First what the address bar of each window would load, three pages of the browser's own that
 * no test sees and that cost more than the page under test; then what Playwright turns off, because only the last list counts.
 */
export const FEATURES_OFF = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'BlockOriginHeaderModificationOnRedirect',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'Translate',
  'AutoDeElevate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** Chromium refuses its sandbox when root runs it. */
export const CHROMIUM_ARGS = [
  `--disable-features=${FEATURES_OFF.join(',')}`,
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** @param {string} path */
function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string[]} names */
function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const name of names) {
    for (const folder of folders) {
      const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (runnable(file)) return file;
    }
  }
  return undefined;
}

/** @param {'chromium' | 'firefox'} engine */
async function playwrightOwn(engine) {
  try {
    const playwright = await import('playwright');
    const path = playwright[engine].executablePath();
    return path && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Path of a Chromium: CHROMIUM_PATH, Playwright's own, PATH, the known places of macOS and Windows.
 * @returns {Promise<string | undefined>}
 * @throws Error when CHROMIUM_PATH is set and names nothing runnable.
 */
export async function findChromium() {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) {
    if (runnable(wanted)) return wanted;
    throw new Error(`CHROMIUM_PATH is "${wanted}", which is no runnable file. Correct it, or unset it to search for a browser.`);
  }
  return (await playwrightOwn('chromium')) ?? onPath(CHROMIUM_NAMES) ?? (KNOWN_PLACES[process.platform] ?? []).find(runnable);
}

/**
 * A system Firefox. Playwright drives it over WebDriver BiDi (channel `moz-firefox`).
 * @returns {string | undefined}
 */
export function findFirefox() {
  const wanted = process.env.FIREFOX_PATH;
  if (wanted) return runnable(wanted) ? wanted : undefined;
  return onPath(FIREFOX_NAMES);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} exit code
 */
function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', () => resolve(1));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** @param {(line: string) => void} say */
async function installChromium(say) {
  const root = process.getuid?.() === 0;
  if (root && onPath(['apt-get'])) {
    say('No Chromium found: installing the distribution’s package with apt-get (about a minute).');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-q'], { env });
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env });
    const found = await findChromium();
    if (found) return found;
  }
  say('No Chromium found: downloading Playwright’s (about 170 MB).');
  await run(process.execPath, [join('node_modules', 'playwright', 'cli.js'), 'install', 'chromium']);
  return findChromium();
}

/**
 * A Chromium, installed when it has to be.
 * @param {(line: string) => void} [say]
 * @returns {Promise<string>}
 * @throws Error with one sentence that says what to do.
 */
export async function findOrInstallChromium(say = console.log) {
  const found = (await findChromium()) ?? (await installChromium(say));
  if (!found) {
    throw new Error(
      'The tests need a Chromium and none could be installed: install Chromium or Chrome, or set CHROMIUM_PATH to one.',
    );
  }
  return found;
}

/**
 * The line of `--version`, for reports.
 * @param {string} path
 * @returns {string}
 */
export function browserVersion(path) {
  const { stdout } = spawnSync(path, ['--version', ...CHROMIUM_ARGS], { encoding: 'utf8', timeout: 15_000 });
  return (stdout ?? '').trim().split('\n').at(-1) ?? '';
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const chromium = await findOrInstallChromium();
    console.log(`Chromium: ${chromium} (${browserVersion(chromium)})`);
    console.log(`Firefox: ${findFirefox() ?? 'not found, its tests are left out'}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
