import { dialog, shell, type Session, type WebContents } from 'electron';
import { isOwnUrl } from './origin.ts';

/**
 * No page may navigate, open a window or embed one; a link to the web is offered to the system's
 * browser.
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

/**
 * Every permission is refused, asked for or checked, and nothing but the app's own files is ever
 * loaded.
 */
export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // A file made by the page itself, an export, is no download from anywhere.
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
 * Null unless the text is a plain web address: http or https, no user name, no control characters,
 * nothing that a parser would repair.
 */
export function parseWebUrl(text: string): URL | null {
  if (text.length > 2048 || /[\u0000-\u0020\u007f-\u009f\\]/.test(text) || !URL.canParse(text))
    return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  // A parser also drops an empty user name and adds slashes that are missing; such text is not what
  // it looks like.
  return /^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) ? url : null;
}

let asking = false;

/**
 * Opens a web address in the system's browser after the user has seen its host and agreed. One
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
