import { dialog, shell, type Session, type WebContents } from 'electron';
import { isOwnUrl } from './origin.ts';

/**
 * No page may navigate, open a window or embed one. Web links are offered to the system's browser.
 */
export function hardenContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void offerExternal(url);
    return { action: 'deny' };
  });
}

/** Denies every permission, and loads nothing but the app's own files. */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // A download that the page creates itself, an export, contacts no host.
    if (!item.getURL().startsWith('blob:')) event.preventDefault();
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !isLocal(details.url) });
  });
}

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
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: `Open ${url.host} in your browser?`,
      detail: url.href,
      buttons: ['Cancel', 'Open'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1) await shell.openExternal(url.href);
  } finally {
    asking = false;
  }
}
