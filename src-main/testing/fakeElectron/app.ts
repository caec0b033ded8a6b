import { EventEmitter } from 'node:events';
import { preventable } from './preventable.ts';

/** The open windows, as far as the program's end concerns them. */
export const openWindows: { close: () => void; destroy: () => void }[] = [];

/**
 * `app` by the rules of its documentation (https://www.electronjs.org/docs/latest/api/app), as far as
 * the shell meets them:
 * - `quit`: “The before-quit event will be emitted first. If all windows are successfully closed, the
 *   will-quit event will be emitted and by default the application will terminate.” A listener may
 *   prevent either, and a window that stays open ends the attempt. `window-all-closed` is not emitted
 *   then.
 * - `exit`: “All windows will be closed immediately without asking the user, and the before-quit and
 *   will-quit events will not be emitted.”
 * - `open-url` can come before `ready`; `second-instance` “is guaranteed to be emitted after the ready
 *   event”.
 * - `enableSandbox`, `setPath('userData')` and the privileges of schemes belong before `ready`.
 */
class FakeApp extends EventEmitter {
  isPackaged = false;
  /** Whether the next request for the lock succeeds. */
  isFirst = true;
  sandboxed = false;
  quits = 0;
  exits: number[] = [];
  relaunches = 0;
  quitting = false;
  readonly name = 'Touchstone';
  readonly paths = new Map<string, string>();
  readonly protocols: string[] = [];
  readonly switches = new Set<string>();
  readonly commandLine = { hasSwitch: (name: string): boolean => this.switches.has(name) };
  #ready = false;

  setPath(name: string, path: string): void {
    this.onlyBeforeReady('setPath');
    this.paths.set(name, path);
  }

  setAsDefaultProtocolClient(scheme: string): void {
    this.protocols.push(scheme);
  }

  isReady(): boolean {
    return this.#ready;
  }

  relaunch(): void {
    this.relaunches += 1;
  }

  requestSingleInstanceLock(): boolean {
    return this.isFirst;
  }

  getPath(name: string): string {
    return `/home/somebody/${name}`;
  }

  enableSandbox(): void {
    this.onlyBeforeReady('enableSandbox');
    this.sandboxed = true;
  }

  /** Electron becomes ready after the main module has run. */
  async whenReady(): Promise<void> {
    await Promise.resolve();
    if (this.#ready) return;
    this.#ready = true;
    this.emit('ready', {}, {});
  }

  quit(): void {
    this.quits += 1;
    if (preventable(this, 'before-quit')) return;
    this.quitting = true;
    for (const window of [...openWindows]) window.close();
    if (openWindows.length > 0) {
      this.quitting = false;
      return;
    }
    if (!preventable(this, 'will-quit')) this.exit(0);
  }

  exit(code: number): void {
    for (const window of [...openWindows]) window.destroy();
    this.exits.push(code);
    this.emit('fake-exit', code);
  }

  /** Throws where the module may be used only after, or only before, the program is ready. */
  onlyAfterReady(what: string): void {
    if (!this.#ready) throw new Error(`${what} can only be used after the app is ready`);
  }

  onlyBeforeReady(what: string): void {
    if (this.#ready) throw new Error(`${what} can only be called before the app is ready`);
  }

  forget(): void {
    this.removeAllListeners();
    Object.assign(this, { isPackaged: false, isFirst: true, sandboxed: false, quitting: false });
    Object.assign(this, { quits: 0, exits: [], relaunches: 0 });
    this.#ready = false;
    this.paths.clear();
    this.switches.clear();
    this.protocols.splice(0);
  }
}

export const app = new FakeApp();

/** Emits `shutdown` before the system goes down, on Linux and macOS; a listener may delay that. */
export const powerMonitor = new EventEmitter();
