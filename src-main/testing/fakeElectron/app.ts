import { EventEmitter } from 'node:events';

class FakeApp extends EventEmitter {
  isPackaged = false;
  /** Whether the next request for the lock succeeds. */
  isFirst = true;
  sandboxed = false;
  quits = 0;
  exits: number[] = [];
  relaunches = 0;
  readonly name = 'Touchstone';
  readonly paths = new Map<string, string>();
  readonly protocols: string[] = [];

  setPath(name: string, path: string): void {
    this.paths.set(name, path);
  }

  setAsDefaultProtocolClient(scheme: string): void {
    this.protocols.push(scheme);
  }

  isReady(): boolean {
    return true;
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
    this.sandboxed = true;
  }

  async whenReady(): Promise<void> {
    return Promise.resolve();
  }

  quit(): void {
    this.quits += 1;
  }

  exit(code: number): void {
    this.exits.push(code);
    this.emit('fake-exit', code);
  }
}

export const app = new FakeApp();

export function forgetApp(): void {
  app.removeAllListeners();
  Object.assign(app, {
    isPackaged: false,
    isFirst: true,
    sandboxed: false,
    quits: 0,
    exits: [],
    relaunches: 0,
  });
  app.paths.clear();
  app.protocols.splice(0);
}
