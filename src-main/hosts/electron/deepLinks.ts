import { app } from 'electron';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isScreenPath, pageArgument } from '../../../src-shared/domain/hostCommand.ts';
import { ask } from './dialogs.ts';
import { linkScheme } from './origin.ts';

/**
 * The path of the screen that a link names: `touchstone-open://results/17` → `/results/17`.
 * Null for everything else. The text is matched, not parsed, because a parser would normalize what
 * has to be checked.
 */
export function screenOfLink(link: string): string | null {
  const prefix = `${linkScheme}://`;
  if (link.length > 1100 || !link.startsWith(prefix)) return null;
  const path = `/${link.slice(prefix.length)}`;
  return isScreenPath(path) ? path : null;
}

/** The link among the start arguments, where Windows and Linux pass it. */
export const findLink = (argv: readonly string[]): string | null =>
  argv.find((argument) => argument.startsWith(`${linkScheme}:`)) ?? null;

/** Follows links only after the user has seen their target and agreed, one question at a time. */
export function createLinkFollower(
  show: (path: string) => void,
): (link: string | null) => Promise<void> {
  let asking = false;
  return async (link) => {
    const path = link === null ? null : screenOfLink(link);
    if (path === null || asking) return;
    asking = true;
    try {
      const answer = await ask(null, {
        type: 'question',
        message: 'Another app wants to open a page in Touchstone.',
        detail: `${path}\n\nNothing is started, changed or sent.`,
        buttons: ['Cancel', 'Show'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      if (answer === 1) show(path);
    } finally {
      asking = false;
    }
  };
}

/** The page that `touchstone open` names among the start arguments. */
export function findPage(argv: readonly string[]): string | null {
  const given = argv.find((argument) => argument.startsWith(pageArgument));
  const page = given?.slice(pageArgument.length) ?? '';
  return isScreenPath(page) ? page : null;
}

/** What reached the program from outside: a link, or another start of it with a link or a page. */
export interface Arrival {
  isStart: boolean;
  link: string | null;
  page: string | null;
}

/**
 * Listens for links and other starts from the first moment on. On a Mac a link is an event, which
 * comes even before the program is ready; elsewhere it is an argument of a start. What arrives while
 * the workspace opens is kept until `take` is called: of several, the last one counts.
 */
export function listenForArrivals(): { take: (receive: (arrival: Arrival) => void) => void } {
  let receive = null as ((arrival: Arrival) => void) | null;
  let waiting: Arrival | null = null;
  const arrive = (arrival: Arrival): void => {
    if (receive !== null) receive(arrival);
    else if ((arrival.link ?? arrival.page) !== null || waiting === null) waiting = arrival;
  };
  app.on('open-url', (event, link) => {
    event.preventDefault();
    arrive({ isStart: false, link, page: null });
  });
  app.on('second-instance', (_event, argv: readonly string[]) => {
    arrive({ isStart: true, link: findLink(argv), page: findPage(argv) });
  });
  return {
    take(next) {
      receive = next;
      if (waiting !== null) next(waiting);
      waiting = null;
    },
  };
}

/**
 * Installers register the scheme, except on Windows; an AppImage is not installed, and registers it
 * when a person asks for it. A clone does not change the system.
 */
export function registerLinks(): void {
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
}

const entryName = `${linkScheme}.desktop`;

/** The desktop entry that opens links with an AppImage. */
export function linkEntry(image: string): string {
  // The Desktop Entry Specification: quoted, then escaped as any text; % begins a field code.
  const quoted = image
    .replaceAll(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Touchstone',
    `Exec="${quoted}" %u`,
    'NoDisplay=true',
    `MimeType=x-scheme-handler/${linkScheme};`,
    '',
  ].join('\n');
}

/** Makes an AppImage the program of the link scheme, for this user. Throws where that fails. */
export async function openLinksWith(image: string, dataFolder: string): Promise<void> {
  const folder = join(dataFolder, 'applications');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, entryName), linkEntry(image));
  await promisify(execFile)('xdg-mime', ['default', entryName, `x-scheme-handler/${linkScheme}`]);
}
