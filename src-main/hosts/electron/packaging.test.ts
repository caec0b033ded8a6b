import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { programFiles } from '../../runtime/programFiles.ts';
import { linkScheme } from './origin.ts';

const root = programFiles.root;
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const config = parse(read('electron-builder.yml')) as {
  asar: unknown;
  asarUnpack: string[];
  beforePack: string;
  npmRebuild: boolean;
  publish: unknown;
  afterPack: string;
  files: string[];
  electronFuses: Record<string, boolean>;
  protocols: { schemes: string[] }[];
  [platform: string]: unknown;
};
const packageFile = JSON.parse(read('package.json')) as {
  main: string;
  devDependencies: Record<string, string>;
  dependencies: Record<string, string>;
};

describe('T08: packaging', () => {
  it('sets every fuse: no scripts, no Node options and no app outside the archive', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('pins a supported version of Electron', () => {
    const version = packageFile.devDependencies['electron'];
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number(version?.split('.')[0])).toBeGreaterThanOrEqual(45);
  });

  it('builds an installer for every system and registers the link scheme only', () => {
    expect(
      [config['linux'], config['mac'], config['win']].map(
        (platform) => (platform as { target: string[] }).target,
      ),
    ).toEqual([['AppImage', 'deb'], ['dmg', 'zip'], ['nsis']]);
    expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual([linkScheme]);
  });

  /*
   * What the program registers there for itself: app.setAsDefaultProtocolClient writes
   * HKEY_CURRENT_USER\\Software\\Classes\\SCHEME (Electron, api/app). The template of the uninstaller
   * inserts the macro customUnInstall, and runs at each update too, with `--updated`, which its
   * `isUpdated` tests (electron-builder, nsis/Custom NSIS script and templates/nsis/uninstaller.nsh).
   */
  it('takes the link scheme away where the program is uninstalled on Windows, not where it is updated', () => {
    const { include, deleteAppDataOnUninstall } = config['nsis'] as Record<string, unknown>;
    expect(deleteAppDataOnUninstall).toBe(false);
    const lines = read(String(include))
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith(';'));
    expect(lines).toEqual([
      '!macro customUnInstall',
      '${ifNot} ${isUpdated}',
      `DeleteRegKey HKCU "Software\\Classes\\${linkScheme}"`,
      '${endIf}',
      '!macroend',
    ]);
  });

  it('packs neither an updater nor sources, and compiles nothing', () => {
    expect([config.publish, config.npmRebuild]).toEqual([null, false]);
    expect(
      Object.keys(packageFile.dependencies).filter((name) =>
        /updater|sentry|analytics|crash/i.test(name),
      ),
    ).toEqual([]);
    expect(
      config.files.filter((name) => !name.startsWith('!')).map((name) => name.split('/')[0]),
    ).toEqual(['out', 'migrations', 'datasets', 'LICENSE']);
    expect(packageFile.main).toBe('out/main/electron.js');
  });

  it('carries of the datasets what the program reads or publishes, in less than 3 MB', () => {
    const carried = readdirSync(programFiles.datasets, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => statSync(join(programFiles.datasets, name)).isFile());
    const read =
      /^((agents|clients|corpus|retrieval_golden|baseline|security_(corpus|baseline))_v\d+\.json|checksums\.json|detector_weights\.bin|prices\/prices_v\d+\.json|sample\/[\w-]+\.(suite\.yaml|tools\.json)|sample\/agent\.mjs|sample\/real-servers\/[\w./-]+)$/;
    const published = /^([\w]+\.schema\.json|conformance\/\w+\.json|([\w]+\/)?README\.md)$/;
    expect(carried.filter((name) => !read.test(name) && !published.test(name))).toEqual([]);
    const bytes = carried.map((name) => statSync(join(programFiles.datasets, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3e6);
  });

  it('uses the program’s icon on every system', () => {
    for (const platform of ['linux', 'mac', 'win'])
      expect((config[platform] as { icon: string }).icon, platform).toBe('packaging/icon.png');
    // A PNG tells its size at its beginning; an installer for a Mac is made from 512 at least.
    const png = readFileSync(join(root, 'packaging', 'icon.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
  });

  it('unpacks native modules only, so that all other code stays in the archive', () => {
    expect(config.asar).toEqual({ smartUnpack: false });
    expect(config.asarUnpack).toEqual(['**/*.node']);
  });

  it('keeps library validation on a Mac and allows nothing but compiled code', () => {
    const mac = config['mac'] as Record<string, unknown>;
    expect(mac['hardenedRuntime']).toBe(true);
    for (const key of ['entitlements', 'entitlementsInherit'])
      expect(
        [...read(String(mac[key])).matchAll(/<key>(.*)<\/key>/g)].map(([, name]) => name),
      ).toEqual(['com.apple.security.cs.allow-jit']);
  });

  it('has hooks that hash the program beside the archive and copy it', async () => {
    expect(config.beforePack).toBe(config.afterPack);
    const hooks = (await import(join(root, config.afterPack))) as {
      beforePack: unknown;
      afterPack: unknown;
      packagesAtRunTime: () => string[];
      listProgram: () => string[];
      isMacBinary: (path: string) => boolean;
    };
    expect([typeof hooks.beforePack, typeof hooks.afterPack]).toEqual(['function', 'function']);
    const packages = hooks.packagesAtRunTime();
    expect(packages).toEqual(
      expect.arrayContaining([
        'node_modules/better-sqlite3',
        'node_modules/keytar',
        'node_modules/node',
        'node_modules/zod',
      ]),
    );
    expect(packages).not.toContain('node_modules/vitest');
    const files = hooks.listProgram().map((file) => file.replaceAll('\\', '/'));
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'node_modules/zod/package.json']),
    );
    expect(files.filter((file) => file.startsWith('node_modules/node/')).sort()).toEqual([
      expect.stringMatching(/^node_modules\/node\/bin\/node(\.exe)?$/),
      'node_modules/node/package.json',
    ]);
    expect(files.filter((file) => /\.(map|d\.ts)$/.test(file))).toEqual([]);
    // Signing for a Mac rewrites these, so that their hash says nothing.
    const natives = files.filter((file) =>
      file.startsWith('node_modules/better-sqlite3/prebuilds/'),
    );
    expect(natives.filter((file) => hooks.isMacBinary(file)).map((file) => basename(file))).toEqual(
      ['darwin-arm64.node', 'darwin-x64.node'],
    );
  });

  it('pins the packaging tools apart from the default install', () => {
    const { devDependencies } = JSON.parse(read('packaging/package.json')) as {
      devDependencies: Record<string, string>;
    };
    const lock = JSON.parse(read('packaging/package-lock.json')) as {
      packages: Record<string, { version: string; integrity?: string }>;
    };
    for (const [name, version] of Object.entries(devDependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
      expect({ ...packageFile.dependencies, ...packageFile.devDependencies }).not.toHaveProperty([
        name,
      ]);
    }
    const unpinned = Object.entries(lock.packages).filter(
      ([path, { integrity }]) => path !== '' && integrity === undefined,
    );
    expect(unpinned).toEqual([]);
  });
});
