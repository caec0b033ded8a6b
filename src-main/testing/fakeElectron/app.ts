import { EventEmitter } from 'node:events';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { preventable } from './preventable.ts';

/** The open windows, as far as the program's end concerns them. */
export const openWindows: { close: () => void; destroy: () => void }[] = [];

const pathNames = ['home', 'userData', 'downloads', 'documents'];

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
  name = 'Touchstone';
  readonly paths = new Map<string, string>();
  readonly protocols: string[] = [];
  readonly switches = new Set<string>();
  readonly commandLine = { hasSwitch: (name: string): boolean => this.switches.has(name) };
  /** Set in a process of its own, which becomes ready after its main module has run. */
  becomesReadyLater = false;
  /** Of a process of its own: asks the other processes for the lock. */
  lock: () => boolean = () => this.isFirst;
  #ready = Promise.withResolvers<undefined>();
  #isReady = false;

  setPath(name: string, path: string): void {
    if (name === 'userData') this.onlyBeforeReady('setPath');
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    this.paths.set(name, path);
  }

  setAsDefaultProtocolClient(scheme: string): void {
    this.protocols.push(scheme);
  }

  isReady(): boolean {
    return this.#isReady;
  }

  relaunch(): void {
    this.relaunches += 1;
  }

  requestSingleInstanceLock(): boolean {
    return this.lock();
  }

  getPath(name: string): string {
    if (!pathNames.includes(name)) throw new Error(`Failed to get '${name}' path`);
    return this.paths.get(name) ?? join(homedir(), name === 'home' ? '' : name);
  }

  enableSandbox(): void {
    this.onlyBeforeReady('enableSandbox');
    this.sandboxed = true;
  }

  async whenReady(): Promise<void> {
    await Promise.resolve();
    if (!this.becomesReadyLater) this.becomeReady();
    await this.#ready.promise;
  }

  becomeReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.emit('ready', {}, {});
    this.#ready.resolve(undefined);
  }

  quit(): void {
    this.quits += 1;
    if (this.quitting || preventable(this, 'before-quit')) return;
    this.quitting = true;
    if (openWindows.length === 0) this.#finish();
    else for (const window of [...openWindows]) window.close();
  }

  /** A window that stays open ends the attempt to quit. */
  giveUpQuitting(): void {
    this.quitting = false;
  }

  /** Without a listener of `window-all-closed`, the program quits with its last window. */
  windowEnded(): void {
    if (openWindows.length > 0) return;
    if (this.quitting) this.#finish();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #finish(): void {
    if (preventable(this, 'will-quit')) this.quitting = false;
    else this.exit(0);
  }

  exit(code = 0): void {
    for (const window of [...openWindows]) window.destroy();
    this.exits.push(code);
    this.emit('quit', {}, code);
    this.emit('fake-exit', code);
  }

  /** Throws where the module may be used only after, or only before, the program is ready. */
  onlyAfterReady(what: string): void {
    if (!this.#isReady) throw new Error(`${what} can only be used after the app is ready`);
  }

  onlyBeforeReady(what: string): void {
    if (this.#isReady) throw new Error(`${what} can only be called before the app is ready`);
  }

  forget(): void {
    this.removeAllListeners();
    Object.assign(this, { isPackaged: false, isFirst: true, sandboxed: false, quitting: false });
    Object.assign(this, { quits: 0, exits: [], relaunches: 0 });
    this.#isReady = false;
    this.#ready = Promise.withResolvers();
    this.paths.clear();
    this.switches.clear();
    this.protocols.splice(0);
  }
}

export const app = new FakeApp();

/** Emits `shutdown` before the system goes down, on Linux and macOS; a listener may delay that. */
export const powerMonitor = new EventEmitter();
