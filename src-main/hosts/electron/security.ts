import { shell, type Session, type WebContents } from 'electron';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { ask } from './dialogs.ts';
import { appUrl, isOwnUrl } from './origin.ts';

/**
 * No page may navigate, open a window or embed one. The app's page may load itself again, which is a
 * navigation too. Web links are offered to the system's browser.
 */
export function hardenContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!isOwnStart(event)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isOwnStart(event)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void offerExternal(url);
    return { action: 'deny' };
  });
}

/** The address of the app's only page, which knows its screens by the part after the `#`. */
const isOwnStart = ({ url, isMainFrame }: { url: string; isMainFrame: boolean }): boolean =>
  isMainFrame && url.split('#', 1)[0] === appUrl;

/** Denies every permission but copying text, and loads nothing but the app's own files. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isCopying(permission, details));
  });
  session.setPermissionCheckHandler((_contents, permission, _origin, details) =>
    isCopying(permission, details),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // A download that the page creates itself, an export, contacts no host.
    if (!item.getURL().startsWith('blob:')) event.preventDefault();
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !isLocal(details.url) });
  });
}

/** Writing text to the clipboard, which the page does after a click on Copy, by its top frame. */
const isCopying = (
  permission: string,
  { isMainFrame, requestingUrl = '' }: { isMainFrame: boolean; requestingUrl?: string },
): boolean => permission === 'clipboard-sanitized-write' && isMainFrame && isOwnUrl(requestingUrl);

function isLocal(url: string): boolean {
  return isOwnUrl(url) || /^(devtools|data|blob):/.test(url);
}

/**
 * Parses a plain web address: http or https, no user name, no control characters, nothing that a
 * parser would repair. Null for anything else.
 */
export function parseWebUrl(text: string): URL | null {
  if (text.length > 2048 || /[\u0000-\u0020\u007f-\u009f\\]/.test(text) || !URL.canParse(text))
    return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // The parser also drops an empty user name and adds missing slashes: such a text is not what it
  // looks like.
  return /^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) ? url : null;
}

let asking = false;

/**
 * Opens a web address in the system's browser after the user has seen its host and agreed. Asks one
 * question at a time.
 */
export async function offerExternal(text: string): Promise<void> {
  const url = parseWebUrl(text);
  if (url === null || asking) return;
  asking = true;
  try {
    const answer = await ask(null, {
      type: 'question',
      message: `Open ${url.host} in your browser?`,
      detail: url.href,
      buttons: ['Cancel', 'Open'],
      defaultId: 0,
      cancelId: 0,
    });
    if (answer === 1)
      await shell.openExternal(url.href).catch((error: unknown) =>
        // A system without a browser, or one that refuses the address.
        ask(null, {
          type: 'error',
          message: `${url.host} could not be opened.`,
          detail: `${errorText(error)}\n\nCopy the address into your browser: ${url.href}`,
          buttons: ['OK'],
          cancelId: 0,
        }),
      );
  } finally {
    asking = false;
  }
}
