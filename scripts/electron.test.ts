import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '../src-main/testing/electronContract/rules.ts';
import { electronUses } from './electronApi.ts';
import { withRules } from './writeElectronRules.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Text without what only typesetting needs. */
const plain = (text: string): string =>
  text
    .replaceAll(/\n\s+\* ?/g, ' ')
    .replaceAll(/[`*\\]/g, '')
    .replaceAll(/\s+/g, ' ');

describe('the rules of Electron', () => {
  const types = plain(read('node_modules/electron/electron.d.ts'));

  it.each(rules.filter(({ source }) => source.page.startsWith('api/')))(
    'quote the documentation of the pinned version: $id',
    ({ source }) => {
      expect(types).toContain(plain(source.quote));
    },
  );

  it('have names of their own, and each is tried by a program or a person', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    expect(
      rules.filter(
        ({ run, leaves, person }) =>
          (run === undefined) !== (leaves === undefined) || (run ?? person) === undefined,
      ),
    ).toEqual([]);
  });

  it('are in the documentation as they are', () => {
    const page = read('docs/electron.md');
    expect(withRules(page)).toBe(page);
    for (const { id } of rules) expect(page).toContain(`\`${id}\``);
  });
});

/**
 * What weakens a window or its session, after the checks of Electronegativity
 * (https://github.com/doyensec/electronegativity/wiki), by the name of the check.
 */
const forbidden: readonly (readonly [check: string, names: RegExp])[] = [
  ['DANGEROUS_FUNCTIONS_JS_CHECK', /\.(executeJavaScript|insertCSS|executeInMainWorld)/],
  ['CERTIFICATE_ERROR_EVENT', /:(certificate-error|select-client-certificate|login)$/],
  ['CERTIFICATE_VERIFY_PROC', /\.set(CertificateVerifyProc|SSLConfig)$/],
  ['CUSTOM_ARGUMENTS', /^CommandLine\.append/],
  ['HTTP_RESOURCES, file pages', /\.(loadFile|registerFileProtocol|interceptFileProtocol)$/],
  ['PROTOCOL_HANDLER', /\.(register|intercept)\w+Protocol$/],
  ['AUXCLICK, BLINK_FEATURES', /^WebPreferences\.(enableBlinkFeatures|disableBlinkFeatures)$/],
  ['PRELOAD, isolation', /^WebPreferences\.(enableRemoteModule|nativeWindowOpen|safeDialogs)$/],
  ['REMOTE_MODULE, extensions', /\.(loadExtension|openDevTools|debugger)$/],
  ['Privileges', /^Privileges\.(bypassCSP|allowServiceWorkers|codeCache|corsEnabled)$/],
  ['handlers with answers', /^IpcMain\.(handle|handleOnce|once)$/],
];

/** What must be there: a window without it may navigate, open windows, or ask for permissions. */
const required = [
  'app.enableSandbox',
  'app:web-contents-created',
  'Session.setPermissionRequestHandler',
  'Session.setPermissionCheckHandler',
  'Session.setDevicePermissionHandler',
  'WebContents:will-attach-webview',
  'WebContents:will-frame-navigate',
  'WebContents:will-navigate',
  'WebContents:will-redirect',
  'WebContents.setWindowOpenHandler',
  'WebPreferences.contextIsolation',
  'WebPreferences.sandbox',
  'WebRequest.onBeforeRequest',
];

/** Off by default, and said once more; what it would turn on is another thing in each version. */
const withoutEffect = 'WebPreferences.experimentalFeatures';

describe('the shell', () => {
  const uses = electronUses(root);
  const named = (name: string) => uses.some((use) => use.name === name);

  it('uses nothing of Electron that has no rule', () => {
    const known = new Set(rules.flatMap(({ api }) => api));
    expect(
      uses
        .filter(({ name }) => !known.has(name) && name !== withoutEffect)
        .map(({ name, at }) => `${name} (${at})`),
    ).toEqual([]);
    expect(uses.length).toBeGreaterThan(100);
  });

  it('uses nothing that is deprecated in the pinned version', () => {
    expect(uses.filter(({ deprecated }) => deprecated)).toEqual([]);
  });

  it.each(forbidden)('passes the check %s', (_check, names) => {
    expect(uses.filter(({ name }) => names.test(name))).toEqual([]);
  });

  it.each(required)('has %s', (name) => {
    expect(named(name)).toBe(true);
  });

  it('knows what exists on some systems only, which is no way to save or to end', () => {
    const partly = uses
      .filter(({ systems }) => systems.length > 0)
      .map(({ name, systems }) => `${name}: ${systems.join()}`);
    expect([...new Set(partly)].sort()).toEqual([
      'BaseWindowConstructorOptions.autoHideMenuBar: linux,win32',
      'BrowserWindow:moved: darwin,win32',
      'BrowserWindow:resized: darwin,win32',
      'BrowserWindow:session-end: win32',
      'MenuItemConstructorOptions.registerAccelerator: linux,win32',
      'PowerMonitor:shutdown: linux,darwin',
      'app:activate: darwin',
      'app:open-url: darwin',
    ]);
  });
});
