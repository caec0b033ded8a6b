import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Electron from 'electron';

/** The main process that a rule runs in: one of its own, of Electron or of the stand-in. */
export interface World {
  electron: typeof Electron;
  /** Adds a line to what the process did, which is compared with `leaves`. */
  log: (line: string | boolean) => void;
  /** An empty folder of this rule. */
  folder: string;
  /** Which start of the rule's program this is, from 1. */
  start: number;
  /** Starts the same program once more, with arguments, and waits for its end. */
  startAnother: (...args: string[]) => Promise<void>;
}

/** A rule of Electron that the shell relies on. */
export interface Rule {
  id: string;
  /** What of the API it is about: `app.quit`, `app:before-quit` for an event. */
  api: readonly string[];
  says: string;
  source: {
    /** The page of Electron's documentation, `api/app`. */
    page: string;
    /** A sentence of it, which the types of the pinned version carry too, unless it is a tutorial. */
    quote: string;
  };
  /** Where the rule applies, if not everywhere. */
  systems?: readonly NodeJS.Platform[];
  /**
   * What the process does, and what it leaves: its lines and, if it ends by itself, `exit CODE`.
   * Absent where only a person can cause it.
   */
  run?: (world: World) => Promise<void> | void;
  leaves?: readonly string[];
  /**
   * Needs a log-out, an installed program, or eyes: what to do, what must be seen, and what must be
   * there before; absent where the installed program and its sample suffice.
   */
  person?: { does: string; sees: string; needs?: string };
}

export const scheme = 'contract';
export const page = `${scheme}://app/`;
const emptyPage = '<!doctype html><title>contract</title><body></body>';

interface PageOptions {
  preload?: string;
  /** By path, `/` for the page itself. */
  files?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  options?: Electron.BrowserWindowConstructorOptions;
  beforeLoad?: (window: Electron.BrowserWindow) => void;
}

export const privileges = { standard: true, secure: true, supportFetchAPI: true };

/** Opens a window on a page of a scheme of its own. Called before the program is ready. */
export async function openPage(
  { electron, folder }: World,
  { preload, files = {}, headers = {}, options = {}, beforeLoad }: PageOptions = {},
): Promise<Electron.BrowserWindow> {
  const { app, BrowserWindow, protocol } = electron;
  protocol.registerSchemesAsPrivileged([{ scheme, privileges }, { scheme: 'plain' }]);
  await app.whenReady();
  const answer = ({ url }: { url: string }): Response => {
    const { pathname } = new URL(url);
    if (pathname === '/fails') return Response.error();
    const script = pathname.endsWith('.js');
    return new Response(files[pathname] ?? emptyPage, {
      headers: { 'content-type': script ? 'text/javascript' : 'text/html', ...headers },
    });
  };
  protocol.handle(scheme, answer);
  protocol.handle('plain', answer);
  return openWindow(BrowserWindow, folder, preload, options, beforeLoad);
}

export async function openWindow(
  BrowserWindow: typeof Electron.BrowserWindow,
  folder: string,
  preload = '',
  options: Electron.BrowserWindowConstructorOptions = {},
  beforeLoad: (window: Electron.BrowserWindow) => void = () => undefined,
): Promise<Electron.BrowserWindow> {
  const preloadFile = join(folder, 'preload.cjs');
  if (preload !== '') writeFileSync(preloadFile, preload);
  const window = new BrowserWindow({
    show: false,
    ...options,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      ...(preload === '' ? {} : { preload: preloadFile }),
      ...options.webPreferences,
    },
  });
  beforeLoad(window);
  await window.loadURL(page);
  return window;
}

/** Resolves with the first event of that name. */
export const next = (
  emitter: { once: (name: never, listener: () => void) => unknown },
  name: string,
): Promise<void> => new Promise((resolve) => void emitter.once(name as never, () => resolve()));

/** Logs each of these events when it comes. */
export function logEvents(
  { log }: World,
  emitter: { on: (name: never, listener: (...all: unknown[]) => void) => unknown },
  ...names: string[]
): void {
  for (const name of names) emitter.on(name as never, () => log(name));
}

/** The name of the error that a call ends with, by throwing or by rejecting. */
export async function errorOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.name : 'not an error';
  }
}
