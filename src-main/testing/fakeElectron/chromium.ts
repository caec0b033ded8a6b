/** Names the DevTools address of the browser that shows the windows of the stand-in. */
export const browserVariable = 'TOUCHSTONE_STAND_IN_BROWSER';

type Params = Record<string, unknown>;
export type OnEvent = (method: string, params: never) => void;

/**
 * A browser, spoken to over the DevTools protocol. Pages are in a context of this process: when the
 * process ends, however it ends, they close.
 */
export class Chromium {
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, PromiseWithResolvers<Params>>();
  readonly #listeners = new Map<string, OnEvent>();
  #last = 0;
  context = '';

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
  }

  static async connect(address: string): Promise<Chromium> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', reject, { once: true });
    });
    const browser = new Chromium(socket);
    const { browserContextId } = await browser.call('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    browser.context = String(browserContextId);
    await browser.call('Browser.setDownloadBehavior', {
      behavior: 'deny',
      browserContextId,
      eventsEnabled: true,
    });
    return browser;
  }

  call(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const answer = Promise.withResolvers<Params>();
    this.#last += 1;
    this.#calls.set(this.#last, answer);
    this.#socket.send(JSON.stringify({ id: this.#last, method, params, sessionId }));
    return answer.promise;
  }

  /** Hears the events of a target, or with an empty name those of the browser. */
  listen(sessionId: string, listener: OnEvent): void {
    this.#listeners.set(sessionId, listener);
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Params;
      result?: Params;
      error?: { message: string };
      sessionId?: string;
    };
    if (message.method !== undefined)
      this.#listeners.get(message.sessionId ?? '')?.(message.method, message.params as never);
    const call = this.#calls.get(message.id ?? 0);
    if (call === undefined) return;
    this.#calls.delete(message.id ?? 0);
    if (message.error === undefined) call.resolve(message.result ?? {});
    else call.reject(new Error(message.error.message));
  }
}

// Read at once: the program takes its variables out of its environment.
const address = process.env[browserVariable];
let browser: Promise<Chromium> | null = null;

/** Null where windows have no pages: tests play them. */
export function theBrowser(): Promise<Chromium> | null {
  if (address !== undefined) browser ??= Chromium.connect(address);
  return browser;
}
