import { app, dialog } from 'electron';
import { isScreenPath } from '../../../src-shared/domain/hostCommand.ts';
import { linkScheme } from './origin.ts';

/**
 * The path of the screen that a link names: `touchstone-open://evaluations/17` → `/results/17`.
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
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: 'Another app wants to open a page in Touchstone.',
        detail: `${path}\n\nNothing is started, changed or sent.`,
        buttons: ['Cancel', 'Show'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      if (response === 1) show(path);
    } finally {
      asking = false;
    }
  };
}

/**
 * On a Mac, links arrive as an event; elsewhere as an argument of a second start, which
 * `startElectron` passes on.
 */
export function listenForLinks(follow: (link: string) => void): void {
  // Installers register the scheme, except on Windows. A clone does not change the system.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient(linkScheme);
  app.on('open-url', (event, link) => {
    event.preventDefault();
    follow(link);
  });
}
