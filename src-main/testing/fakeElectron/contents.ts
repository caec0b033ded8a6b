import { EventEmitter } from 'node:events';
import { preventable } from './preventable.ts';
import { session } from './session.ts';

export class FakeFrame {
  url: string;
  parent: FakeFrame | null = null;
  detached = false;
  constructor(url: string) {
    this.url = url;
  }
}

/** `webContents`, and what a page in it does. */
export class FakeWebContents extends EventEmitter {
  static #count = 0;
  readonly id = (FakeWebContents.#count += 1);
  mainFrame = new FakeFrame('touchstone://app/');
  loading = false;
  reloads = 0;
  destroyed = false;
  readonly sent: { channel: string; message: unknown }[] = [];
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }

  getURL(): string {
    this.#living();
    return this.mainFrame.url;
  }

  isLoading(): boolean {
    this.#living();
    return this.loading;
  }

  /** Called by the main process, which nobody can prevent. */
  reload(): void {
    this.#living();
    this.reloads += 1;
  }

  send(channel: string, message: unknown): void {
    this.#living();
    this.sent.push({ channel, message });
  }

  /**
   * The page changes its address, or loads itself again (`location.reload()`): “will-navigate: Emitted
   * when a user or the page wants to start navigation on the main frame.” It “will not emit when the
   * navigation is started programmatically with APIs like webContents.loadURL”. Every frame emits
   * `will-frame-navigate`. https://www.electronjs.org/docs/latest/api/web-contents
   */
  navigate(url: string, isMainFrame = true): boolean {
    const details = { url, isMainFrame, isSameDocument: false };
    const prevented = [
      preventable(this, 'will-frame-navigate', details),
      isMainFrame && preventable(this, 'will-navigate', details),
    ].includes(true);
    if (prevented) return false;
    this.mainFrame.url = url;
    this.reloads += 1;
    return true;
  }

  /**
   * The page copies text with `navigator.clipboard.writeText`, which asks for
   * `clipboard-sanitized-write`: the check handler and the request handler decide.
   * https://www.electronjs.org/docs/latest/api/session#sessetpermissionrequesthandlerhandler
   */
  copies(details = { isMainFrame: true, requestingUrl: this.mainFrame.url }): boolean {
    const { permissionRequestHandler, permissionCheckHandler } = session.defaultSession;
    const permission = 'clipboard-sanitized-write';
    let granted = permissionRequestHandler === null;
    permissionRequestHandler?.(this, permission, (answer) => void (granted = answer), details);
    const { origin } = new URL(details.requestingUrl);
    return granted && permissionCheckHandler?.(this, permission, origin, details) !== false;
  }

  #living(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }
}
