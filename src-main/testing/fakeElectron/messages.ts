import { EventEmitter } from 'node:events';
import type { MessagePort as NodePort } from 'node:worker_threads';
import { app } from './app.ts';
import { type Handler, recorded } from './recorded.ts';

/**
 * A port of the main process on top of a real one of Node: linked, asynchronous, closed on both
 * sides at once.
 */
export class FakeMessagePortMain extends EventEmitter {
  readonly #port: NodePort;
  readonly #peer: NodePort | undefined;
  #closed = false;

  /** @param peer the other end, if the page that holds it is in a browser. */
  constructor(port: NodePort, peer?: NodePort) {
    super();
    this.#port = port;
    this.#peer = peer;
    port.on('close', () => {
      this.#closed = true;
      this.emit('close');
    });
    port.unref();
  }

  get closed(): boolean {
    return this.#closed;
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  /** What the page sent. */
  pass(message: unknown): void {
    this.#peer?.postMessage(message);
  }

  /** “Messages will be queued until this method is called.” Node delivers once somebody listens. */
  start(): void {
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
    this.#port.unref();
  }

  close(): void {
    this.#port.close();
  }
}

export const ipcMain = {
  on: (channel: string, handler: Handler): void => void recorded.listeners.set(channel, handler),
  once: (channel: string): void => void recorded.otherChannels.push(channel),
  handle: (channel: string): void => void recorded.otherChannels.push(channel),
  handleOnce: (channel: string): void => void recorded.otherChannels.push(channel),
};

export const protocol = {
  /** “This method can only be used before the ready event of the app module gets emitted.” */
  registerSchemesAsPrivileged: (schemes: unknown[]): void => {
    app.onlyBeforeReady('protocol.registerSchemesAsPrivileged');
    recorded.schemes.push(...schemes);
  },
  handle: (
    scheme: string,
    handler: (request: { method: string; url: string }) => Promise<Response>,
  ): void => {
    app.onlyAfterReady('protocol.handle');
    if (recorded.protocols.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    recorded.protocols.set(scheme, handler);
  },
};

export const contextBridge = {
  exposeInMainWorld: (name: string, api: unknown): void => void recorded.exposed.set(name, api),
};

export const ipcRenderer = {
  on: (channel: string, handler: Handler): void => void recorded.received.set(channel, handler),
  postMessage: (channel: string, message: unknown, ports: unknown[]): void =>
    void recorded.posted.push({ channel, message, ports }),
};
