import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { MessageChannel } from 'node:worker_threads';
import { type Chromium, theBrowser } from './chromium.ts';
import { FakeMessagePortMain } from './messages.ts';
import {
  answerScript,
  pageBinding,
  pageScript,
  preloadBinding,
  preloadScript,
  preloadWorld,
  privilegesOf,
  toApp,
  toWeb,
} from './pageScripts.ts';
import { preventable } from './preventable.ts';
import { recorded } from './recorded.ts';
import { type Asked, session } from './session.ts';

interface Paused {
  requestId: string;
  request: { url: string; method: string };
  resourceType: string;
  frameId: string;
  redirectedRequestId?: string;
}

interface FromPreload {
  kind: 'message' | 'port' | 'close' | 'preload-error';
  channel: string;
  data: unknown;
  ports: number[];
  port: number;
  message: string;
}

/** Electron's names of permissions, and those of the DevTools protocol. */
const permissionNames: Readonly<Record<string, string>> = {
  'clipboard-sanitized-write': 'clipboard-write',
  'clipboard-read': 'clipboard-read',
  geolocation: 'geolocation',
  notifications: 'notifications',
};

const decode = (data: unknown): unknown =>
  typeof data === 'string' ? data : (data as { value: unknown }).value;

/** The contents whose page it is. */
interface Contents extends EventEmitter {
  destroyed: boolean;
  loading: boolean;
  mainFrame: { url: string };
  windowOpenHandler: ((details: { url: string }) => unknown) | null;
  mayNavigate(url: string, isMainFrame: boolean): boolean;
  isPermitted(permission: string, kind: 'check' | 'request', details: Asked): boolean;
}

/** The page of a window, in a real browser. */
export class StandInPage {
  readonly #contents: Contents;
  readonly #opened: Promise<void>;
  readonly #ports = new Map<number, FakeMessagePortMain>();
  #browser!: Chromium;
  #session = '';
  #target = '';
  /** The context of the preload in the current document. */
  #world: number | null = null;
  /** True while the main process loads a page: no listener is asked about that. */
  #isOwnLoad = false;
  /** True once the document has loaded, until that was announced. */
  #isComplete = false;
  #stopped = Promise.withResolvers<undefined>();

  constructor(contents: Contents, preferences: Record<string, unknown> = {}) {
    this.#contents = contents;
    for (const [name, needed] of [
      ['sandbox', true],
      ['contextIsolation', true],
      ['nodeIntegration', false],
    ] as const)
      if ((preferences[name] ?? needed) !== needed)
        throw new Error(`The stand-in has no window with ${name}: ${!needed}.`);
    this.#opened = this.#open(preferences['preload'] as string | undefined);
    this.#opened.catch(() => undefined);
  }

  async #open(preload: string | undefined): Promise<void> {
    const browser = await theBrowser();
    if (browser === null) throw new Error('The stand-in has no browser.');
    this.#browser = browser;
    const { targetId } = await browser.call('Target.createTarget', {
      url: 'about:blank',
      browserContextId: browser.context,
    });
    this.#target = String(targetId);
    const attached = await browser.call('Target.attachToTarget', { targetId, flatten: true });
    this.#session = String(attached['sessionId']);
    browser.listen(this.#session, (method, params) => this.#hear(method, params));
    browser.listen('', (method, params: { url: string }) => {
      if (method === 'Browser.downloadWillBegin') this.#download(toApp(params.url));
    });
    for (const domain of ['Page', 'Runtime', 'Inspector']) await this.#call(`${domain}.enable`);
    await this.#call('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    await this.#call('Emulation.setFocusEmulationEnabled', { enabled: true });
    await this.#call('Runtime.addBinding', { name: pageBinding });
    await this.#call('Runtime.addBinding', {
      name: preloadBinding,
      executionContextName: preloadWorld,
    });
    await this.#call('Page.addScriptToEvaluateOnNewDocument', { source: pageScript });
    if (preload !== undefined)
      await this.#call('Page.addScriptToEvaluateOnNewDocument', {
        source: toWeb(preloadScript(readFileSync(preload, 'utf8'))),
        worldName: preloadWorld,
      });
  }

  #call(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.#browser.call(method, params, this.#session);
  }

  async load(url: string): Promise<void> {
    await this.#opened;
    this.#begin();
    const { errorText } = (await this.#call('Page.navigate', { url: toWeb(url) })) as {
      errorText?: string;
    };
    if (errorText !== undefined) {
      this.#contents.loading = false;
      this.#contents.emit('did-fail-load', {}, -2, errorText, url, true);
      throw new Error(`${errorText} loading '${url}'`);
    }
    await this.#stopped.promise;
  }

  async reload(): Promise<void> {
    await this.#opened;
    this.#begin();
    await this.#call('Page.reload');
  }

  #begin(): void {
    this.#isOwnLoad = true;
    this.#contents.loading = true;
    this.#stopped = Promise.withResolvers();
  }

  /**
   * The value of a script in the page's own world. “Code execution will be suspended until web page
   * stop loading.”
   */
  async run(code: string, userGesture = false): Promise<unknown> {
    await this.#opened;
    if (this.#contents.loading) await this.#stopped.promise;
    const { result, exceptionDetails } = (await this.#call('Runtime.evaluate', {
      expression: toWeb(code),
      awaitPromise: true,
      returnByValue: true,
      userGesture,
    })) as {
      result: { value?: unknown };
      exceptionDetails?: { exception?: { description?: string } };
    };
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? 'The script failed.');
    if (result.value === undefined) return undefined;
    return JSON.parse(toApp(JSON.stringify(result.value)));
  }

  async crash(): Promise<void> {
    await this.#opened;
    await this.#call('Page.crash').catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#opened;
    await this.#browser.call('Target.closeTarget', { targetId: this.#target });
  }

  /** What the main process sends to the preload. */
  tell(message: object): void {
    if (this.#world !== null)
      void this.#evaluateIn(this.#world, `globalThis.__standInReceive(${JSON.stringify(message)})`);
  }

  /** A document that is gone meanwhile needs no answer. */
  async #evaluateIn(contextId: number, expression: string): Promise<void> {
    await this.#call('Runtime.evaluate', { expression, contextId }).catch(() => undefined);
  }

  #hear(method: string, params: never): void {
    const contents = this.#contents;
    if (contents.destroyed) return;
    switch (method) {
      case 'Fetch.requestPaused':
        // A page that is gone meanwhile needs no answer.
        this.#answer(params).catch(() => undefined);
        return;
      case 'Runtime.bindingCalled':
        this.#bindingCalled(params);
        return;
      case 'Runtime.executionContextCreated':
        this.#contextCreated(params);
        return;
      case 'Runtime.executionContextsCleared':
        this.#leave();
        return;
      case 'Page.frameNavigated': {
        const { frame } = params as { frame: { parentId?: string; url: string } };
        if (frame.parentId === undefined) contents.mainFrame.url = toApp(frame.url);
        return;
      }
      case 'Page.navigatedWithinDocument': {
        const { frameId, url } = params as { frameId: string; url: string };
        if (frameId === this.#target) contents.mainFrame.url = toApp(url);
        return;
      }
      case 'Page.windowOpen':
        contents.windowOpenHandler?.({ url: toApp((params as { url: string }).url) });
        return;
      case 'Page.frameStartedLoading':
        if ((params as { frameId: string }).frameId !== this.#target || contents.loading) return;
        contents.loading = true;
        this.#stopped = Promise.withResolvers();
        return;
      case 'Page.loadEventFired':
        this.#isComplete = true;
        return;
      case 'Page.frameStoppedLoading':
        if ((params as { frameId: string }).frameId === this.#target) this.#loaded();
        return;
      case 'Inspector.targetCrashed':
        this.#leave();
        contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
    }
  }

  #loaded(): void {
    // The blank page that every target begins with is none of Electron's.
    if (this.#contents.mainFrame.url === '') return;
    this.#contents.loading = false;
    this.#stopped.resolve(undefined);
    // A navigation that was prevented ends too.
    if (!this.#isComplete) return;
    this.#isComplete = false;
    this.#contents.emit('ready-to-show');
    this.#contents.emit('did-finish-load');
  }

  /** The document is gone, and the ports that it held. */
  #leave(): void {
    this.#world = null;
    for (const port of this.#ports.values()) port.close();
    this.#ports.clear();
  }

  #contextCreated({ context }: { context: { id: number; name: string } } & object): void {
    if (context.name === preloadWorld) this.#world = context.id;
  }

  #download(url: string): void {
    preventable(session.defaultSession, 'will-download', {}, { getURL: () => url });
  }

  async #answer({
    requestId,
    request,
    resourceType,
    frameId,
    redirectedRequestId,
  }: Paused): Promise<void> {
    const fail = (errorReason: string) =>
      this.#call('Fetch.failRequest', { requestId, errorReason });
    const url = toApp(request.url);
    const isMainFrame = frameId === this.#target;
    if (redirectedRequestId !== undefined) {
      const details = { url, isMainFrame };
      if (preventable(this.#contents, 'will-redirect', details)) return void fail('Aborted');
    } else if (resourceType === 'Document') {
      const isAsked = !(isMainFrame && this.#isOwnLoad);
      if (isMainFrame) this.#isOwnLoad = false;
      if (isAsked && !this.#contents.mayNavigate(url, isMainFrame)) return void fail('Aborted');
    }
    const { cancel } = await session.defaultSession.askBeforeRequest({
      url,
      method: request.method,
    });
    if (cancel === true) return void fail('BlockedByClient');
    const scheme = url.slice(0, url.indexOf(':'));
    const handler = recorded.protocols.get(scheme);
    if (handler === undefined)
      return void (url.startsWith('http://127.0.0.1:')
        ? this.#call('Fetch.continueRequest', { requestId })
        : fail('AddressUnreachable'));
    const { standard, supportFetchAPI } = privilegesOf(scheme);
    if (resourceType === 'Fetch' && supportFetchAPI !== true) return void fail('Failed');
    const response = await handler({ method: request.method, url });
    if (response.type === 'error') return void fail('Failed');
    const headers = [...response.headers].map(([name, value]) => ({ name, value }));
    // Without an origin of its own, a page has no storage.
    if (standard !== true)
      headers.push({ name: 'content-security-policy', value: 'sandbox allow-scripts' });
    await this.#call('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: headers,
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    });
  }

  #bindingCalled({
    name,
    payload,
    executionContextId,
  }: {
    name: string;
    payload: string;
    executionContextId: number;
  }): void {
    if (name === pageBinding) {
      const asked = JSON.parse(payload) as Asked & {
        id: number;
        kind: 'request' | 'check';
        permission: string;
      };
      void this.#decide(asked).then(() =>
        this.#evaluateIn(executionContextId, answerScript(asked.id)),
      );
      return;
    }
    const message = JSON.parse(payload) as FromPreload;
    const port = this.#ports.get(message.port);
    if (message.kind === 'preload-error')
      this.#contents.emit('preload-error', {}, '', new Error(message.message));
    if (message.kind === 'port') port?.pass(decode(message.data));
    if (message.kind === 'close') port?.close();
    if (message.kind !== 'message') return;
    const ports = message.ports.map((number) => this.#makePort(number));
    const { mainFrame } = this.#contents;
    recorded.listeners.get(message.channel)?.(
      { sender: this.#contents, senderFrame: mainFrame, ports } as never,
      decode(message.data) as never,
    );
  }

  /** A port of the main process whose other end is in the page. */
  #makePort(number: number): FakeMessagePortMain {
    const { port1, port2 } = new MessageChannel();
    const port = new FakeMessagePortMain(port1, port2);
    port2.on('message', (data: unknown) => this.tell({ kind: 'port', port: number, data }));
    port2.on('close', () => this.tell({ kind: 'close', port: number }));
    this.#ports.set(number, port);
    return port;
  }

  /** The handlers of the session decide, and the browser does what they say. */
  async #decide(asked: Asked & { kind: 'request' | 'check'; permission: string }): Promise<void> {
    const url = toApp(asked.requestingUrl);
    const granted = this.#contents.isPermitted(asked.permission, asked.kind, {
      isMainFrame: asked.isMainFrame,
      requestingUrl: url,
    });
    await this.#browser.call('Browser.setPermission', {
      permission: { name: permissionNames[asked.permission] },
      setting: granted ? 'granted' : 'denied',
      origin: new URL(asked.requestingUrl).origin,
      browserContextId: this.#browser.context,
    });
  }
}
