import { appScheme } from '../../hosts/electron/origin.ts';
import { recorded } from './recorded.ts';

/**
 * Chromium knows no schemes of Electron's apps. The stand-in serves `scheme://host/` as an address of
 * the web that does not exist, secure only where the scheme has that privilege, and translates at its
 * border.
 */
const suffix = 'stand-in.invalid';

export interface Privileges {
  standard?: boolean;
  secure?: boolean;
  supportFetchAPI?: boolean;
  bypassCSP?: boolean;
}

export function privilegesOf(scheme: string): Privileges {
  const all = recorded.schemes as { scheme: string; privileges?: Privileges }[];
  return all.find((known) => known.scheme === scheme)?.privileges ?? {};
}

export function toWeb(text: string): string {
  const schemes = new Set([appScheme, ...recorded.protocols.keys()]);
  return [...schemes].reduce(
    (written, scheme) =>
      written.replaceAll(
        new RegExp(`\\b${scheme}://([\\w.-]+)`, 'g'),
        `${privilegesOf(scheme).secure === true ? 'https' : 'http'}://$1.${scheme}.${suffix}`,
      ),
    text,
  );
}

export const toApp = (text: string): string =>
  text.replaceAll(/https?:\/\/([\w.-]+)\.([\w-]+)\.stand-in\.invalid/g, '$2://$1');

/** What a page calls, in its own world and in that of its preload. */
export const pageBinding = '__standInAsk';
export const preloadBinding = '__standInTell';
export const preloadWorld = 'Electron Isolated Context';

/** Hidden behind a symbol, so that the page's own code does not meet it by chance. */
const hidden = "Symbol.for('stand-in')";

/**
 * Runs first in every document: what `contextBridge` exposes arrives here, and calls of the web that
 * need a permission ask the handlers of the session before the browser decides.
 */
export const pageScript = `(() => {
  const tell = globalThis.${pageBinding};
  delete globalThis.${pageBinding};
  const asked = new Map();
  Object.defineProperty(globalThis, ${hidden}, { value: (id) => asked.get(id)?.() });
  document.addEventListener('stand-in:expose', ({ detail }) => {
    const [name, api] = JSON.parse(detail);
    const deepFreeze = (value) => {
      if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
      return value;
    };
    Object.defineProperty(globalThis, name, { value: deepFreeze(api), enumerable: true });
  });
  const ask = (kind, permission) => new Promise((resolve) => {
    const id = asked.size + 1;
    asked.set(id, resolve);
    tell(JSON.stringify({ id, kind, permission, isMainFrame: globalThis === globalThis.top, requestingUrl: location.href }));
  });
  const names = { 'clipboard-write': 'clipboard-sanitized-write', geolocation: 'geolocation', notifications: 'notifications', 'clipboard-read': 'clipboard-read' };
  const wrap = (object, method, kind, nameOf) => {
    const original = object?.[method];
    if (original === undefined) return;
    object[method] = function (...all) {
      const name = nameOf(...all);
      return name === undefined ? original.apply(this, all) : ask(kind, name).then(() => original.apply(this, all));
    };
  };
  wrap(globalThis.Clipboard?.prototype, 'writeText', 'request', () => 'clipboard-sanitized-write');
  wrap(globalThis.Clipboard?.prototype, 'readText', 'request', () => 'clipboard-read');
  wrap(globalThis.Geolocation?.prototype, 'getCurrentPosition', 'request', () => 'geolocation');
  wrap(globalThis.Notification, 'requestPermission', 'request', () => 'notifications');
  wrap(globalThis.Permissions?.prototype, 'query', 'check', ({ name }) => names[name]);
})();`;

export const answerScript = (id: number): string => `globalThis[${hidden}](${id})`;

/**
 * What a sandboxed preload finds: a `require` that knows Electron's modules for renderers and a few
 * of Node, and no more. Frames in the page have no preload. https://www.electronjs.org/docs/latest/tutorial/sandbox#preload-scripts
 */
export const preloadScript = (source: string): string => `(() => {
  if (globalThis !== globalThis.top) return;
  const tell = (message) => ${preloadBinding}(JSON.stringify(message));
  const listeners = new Map();
  const ports = new Map();
  const encode = (data) => typeof data === 'string' ? data : { value: data ?? null };
  globalThis.__standInReceive = (message) => {
    if (message.kind === 'send')
      for (const listener of listeners.get(message.channel) ?? []) listener({ ports: [] }, message.data);
    if (message.kind === 'port') ports.get(message.port)?.postMessage(message.data);
    if (message.kind === 'close') ports.get(message.port)?.close();
  };
  const send = (channel, data, given = []) => {
    const named = given.map((port) => {
      const number = ports.size + 1;
      ports.set(number, port);
      port.addEventListener('message', (event) => tell({ kind: 'port', port: number, data: encode(event.data) }));
      port.addEventListener('close', () => tell({ kind: 'close', port: number }));
      port.start();
      return number;
    });
    tell({ kind: 'message', channel, data: encode(data), ports: named });
  };
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name, api) => void document.dispatchEvent(
        new CustomEvent('stand-in:expose', { detail: JSON.stringify([name, api]) })),
    },
    ipcRenderer: {
      on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
      send: (channel, data) => send(channel, data),
      postMessage: send,
    },
    crashReporter: {}, nativeImage: {}, webFrame: {}, webUtils: {},
  };
  const require = (name) => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    if (['events', 'timers', 'url'].includes(name.replace(/^node:/, ''))) return {};
    throw new Error('module not found: ' + name);
  };
  try {
    (function (require, module, exports, process, global) {\n${source}\n})(
      require, { exports: {} }, {}, { sandboxed: true, contextIsolated: true, type: 'renderer' }, globalThis);
  } catch (error) {
    tell({ kind: 'preload-error', message: String(error?.message ?? error) });
  }
})();`;
