import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, powerMonitor } from './app.ts';
import { recorded } from './recorded.ts';
import { windows as openWindows } from './windows.ts';

/*
 * The stand-in as a program, started as Electron's binary is: FOLDER ARGUMENTS. It runs the main
 * module of the program in a folder, with the stand-in for `electron`.
 *
 * Whoever started it may act as the person and the system: it says what the program asks in
 * dialogs, and takes `press` (the button from now on), `link` (the system opens a link, as a Mac
 * does), `shutdown`, `crash` (of the first window's page), and `script` (run in it).
 */
const [given = '', ...args] = process.argv.slice(2);
const program = resolve(given);
process.argv = [process.execPath, program, ...args];
const { main, productName } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as {
  main: string;
  productName?: string;
};
if (productName !== undefined) app.name = productName;

registerHooks({
  resolve: (name, context, next) =>
    name === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : next(name, context),
});

interface FromOutside {
  press?: number;
  link?: string;
  shutdown?: true;
  script?: string;
  crash?: true;
}

const folder = () => app.getPath('userData');

/**
 * One process per data folder; the others leave their arguments there for it. “The single instance
 * lock is scoped to the application's user data directory.”
 * https://www.electronjs.org/docs/latest/api/app#apprequestsingleinstancelockadditionaldata
 */
app.lock = () => {
  mkdirSync(folder(), { recursive: true });
  const lock = join(folder(), 'stand-in.lock');
  if (isHeld(lock)) {
    const message = join(folder(), `stand-in.start-${process.pid}`);
    writeFileSync(`${message}.new`, JSON.stringify(process.argv));
    renameSync(`${message}.new`, message);
    return false;
  }
  writeFileSync(lock, String(process.pid));
  const take = () => {
    for (const name of readdirSync(folder()))
      if (/^stand-in\.start-\d+$/.test(name)) {
        const argv: unknown = JSON.parse(readFileSync(join(folder(), name), 'utf8'));
        rmSync(join(folder(), name));
        // “Guaranteed to be emitted after the ready event.”
        void app.whenReady().then(() => app.emit('second-instance', {}, argv, '/', undefined));
      }
  };
  watch(folder(), take).unref();
  return true;
};

function isHeld(lock: string): boolean {
  if (!existsSync(lock)) return false;
  try {
    return process.kill(Number(readFileSync(lock, 'utf8')), 0);
  } catch {
    return false;
  }
}

for (const argument of args) {
  const [, name] = /^--([\w-]+)/.exec(argument) ?? [];
  if (name !== undefined) app.switches.add(name);
}

app.on('fake-exit', (code: number) => {
  for (let start = 0; start < app.relaunches; start += 1)
    spawn(process.execPath, [import.meta.filename, program, ...args], {
      detached: true,
      stdio: 'ignore',
      env: process.env,
    }).unref();
  process.exit(code);
});
app.on('fake-question', (message: string) => process.send?.({ asked: message }));
process.on('message', ({ press, link, shutdown, script, crash }: FromOutside) => {
  if (press !== undefined) recorded.pressed = press;
  if (link !== undefined) app.emit('open-url', { preventDefault: () => undefined }, link);
  if (shutdown !== undefined) powerMonitor.emit('shutdown', { preventDefault: () => undefined });
  if (crash !== undefined) openWindows[0]?.webContents.forcefullyCrashRenderer();
  if (script !== undefined) void runOnce(script).then((value) => process.send?.({ value }));
});

/** Runs a script in the first window, once there is one whose page lives to its end. */
async function runOnce(script: string): Promise<unknown> {
  for (;;) {
    const window = openWindows[0];
    if (window !== undefined && window.webContents.getURL() !== '')
      try {
        return await window.webContents.executeJavaScript(script);
      } catch {
        // The page crashed, or was loaded again.
      }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
// Electron goes on without its parent, and without anything to wait for.
process.channel?.unref();
setInterval(() => undefined, 2 ** 30);

app.becomesReadyLater = true;
await import(pathToFileURL(join(program, main)).href);
// “Only fired after the main process has finished running the first tick of the event loop.”
setImmediate(() => app.becomeReady());
