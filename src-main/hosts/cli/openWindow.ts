import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServices } from '../../app/createServices.ts';
import { startWithEnvironment } from '../../runtime/ownEnvironment.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { systemClock } from '../../runtime/clock.ts';
import { describeRunning } from '../../services/evaluations/run/describeRunning.ts';
import type { Log } from '../../runtime/log.ts';
import { findHolder } from '../../services/settings/workspaceHolder.ts';
import { askForLink } from '../../endpoint/client.ts';
import { pageArgument } from '../../../src-shared/domain/hostCommand.ts';
import { startLoopback } from '../loopback/startLoopback.ts';
import type { CommandContext } from './commandContext.ts';
import { onConfirmedInterrupt } from './confirmInterrupt.ts';

/** How `open` was called. */
export interface WindowOptions {
  folder: string;
  host: string | undefined;
  port: number | undefined;
  browser: boolean;
  /** The page that it shows first; null: the overview. */
  page: string | null;
  context: CommandContext;
}

/**
 * Reads where Electron's binary is from the file that its installer left. Never loads the package
 * itself, which would download it.
 */
export function findElectron(env: NodeJS.ProcessEnv = process.env): string | null {
  const folder = join(programFiles.root, 'node_modules', 'electron');
  const pathFile = join(folder, 'path.txt');
  const binary = env['ELECTRON_OVERRIDE_DIST_PATH']
    ? join(
        env['ELECTRON_OVERRIDE_DIST_PATH'],
        process.platform === 'win32' ? 'electron.exe' : 'electron',
      )
    : existsSync(pathFile)
      ? join(folder, 'dist', readFileSync(pathFile, 'utf8').trim())
      : null;
  return binary !== null && existsSync(binary) ? binary : null;
}

function hasDisplay(env: NodeJS.ProcessEnv): boolean {
  return process.platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
}

const opensBrowser = ({ browser, context }: WindowOptions): boolean =>
  browser && hasDisplay(context.io.env);

/** Opens the window in Electron or the browser, and returns when it is closed. */
export async function openWindow(options: WindowOptions): Promise<void> {
  const { io } = options.context;
  const holder = findHolder(options.folder);
  // An Electron window comes to the front by itself on a second start.
  if (options.host !== 'electron' && holder?.host === 'loopback' && holder.endpoint)
    return joinWindow(options, holder.endpoint);
  const electron = findElectron(io.env);
  if (options.host !== 'loopback' && electron !== null && hasDisplay(io.env))
    return openElectron(electron, options);
  if (options.host === 'loopback') return openLoopback(options, null);
  const why =
    electron === null
      ? 'Electron’s binary is not installed (npm run electron:install fetches it)'
      : 'there is no display';
  if (options.host === 'electron') throw new Error(`The Electron window can’t open: ${why}.`);
  await openLoopback(options, why);
}

/** A workspace has one window host: a second start prints a link to another page of it and ends. */
async function joinWindow(
  options: WindowOptions,
  endpoint: { port: number; token: string },
): Promise<void> {
  const { port } = options;
  const { output } = options.context;
  const url = withPage(await askForLink(endpoint), options);
  if (port !== undefined && port !== endpoint.port)
    output.note(`It is already running on port ${endpoint.port}; --port ${port} has no effect.`);
  output.line(url);
  output.note(
    'Touchstone is already running on this workspace: this opens another page. The link ' +
      'works once, within 15 minutes.',
  );
  if (opensBrowser(options)) showInBrowser(url);
}

/** The page that opens the link takes this part of it to the app. */
const withPage = (url: string, { page }: Pick<WindowOptions, 'page'>): string =>
  page === null ? url : `${url}#${page}`;

async function openElectron(
  binary: string,
  { folder, page, context: { io } }: WindowOptions,
): Promise<void> {
  const args = [programFiles.root, ...(page === null ? [] : [`${pageArgument}${page}`])];
  const child = startWithEnvironment(binary, args, { ...io.env, TOUCHSTONE_HOME: folder });
  const done = Promise.withResolvers<number>();
  child.on('error', done.reject);
  child.on('exit', (code) => done.resolve(code ?? 3));
  io.setExitCode(await done.promise);
}

/** @param why no window opens, said where a page takes its place: a workspace that can’t be opened has neither */
async function openLoopback(options: WindowOptions, why: string | null): Promise<void> {
  const { folder, port } = options;
  const { io, output } = options.context;
  const log: Log = { info: () => undefined, error: (message) => output.error(message) };
  const opened = await createServices({
    host: 'loopback',
    folder,
    access: 'write-if-possible',
    sample: true,
    environment: io.env,
    secretGuard: io.secretGuard,
    log,
  });
  if (opened.unwritable !== null) output.note(opened.unwritable);
  try {
    const host = await startLoopback({
      services: opened.services,
      rendererFolder: programFiles.renderer,
      host: io.env['HOST'],
      port,
      log: opened.log,
      clock: systemClock,
    });
    opened.lock?.setEndpoint(host.endpoint);
    const url = withPage(host.url, options);
    if (why !== null)
      output.note(
        `No window opens: ${why}. ` +
          `${opensBrowser(options) ? 'Your browser opens this address' : 'Open this address in a browser'}:`,
      );
    output.line(url);
    output.note(
      'The link works once, within 15 minutes. Press Enter for a new one, Ctrl-C to quit.',
    );
    if (opensBrowser(options)) showInBrowser(url);
    const lines = createInterface({ input: io.stdin });
    lines.on('line', () => output.line(host.newUrl()));
    const stopped = Promise.withResolvers<void>();
    const done = onConfirmedInterrupt({
      stop: stopped.resolve,
      running: () => describeRunning(opened.services),
      say: (text) => output.note(text),
    });
    await stopped.promise;
    done();
    lines.close();
    opened.lock?.setEndpoint(null);
    await host.close();
  } finally {
    await opened.close();
  }
  // A file or device as standard input does not keep the process alive and has no `unref`.
  io.stdin.unref?.();
}

/** Passes the address as an argument, never through a shell. */
function showInBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [url]]
      : process.platform === 'win32'
        ? ['explorer', [url]]
        : ['xdg-open', [url]];
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  // If no browser can be started, the address is on the screen anyway.
  child.on('error', () => undefined);
  child.unref();
}
