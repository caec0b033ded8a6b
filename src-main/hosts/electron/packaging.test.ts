import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { programFiles } from '../../runtime/programFiles.ts';
import { linkScheme } from './origin.ts';

const root = programFiles.root;
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const config = parse(read('electron-builder.yml')) as {
  asar: boolean;
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
    expect(config.asar).toBe(true);
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

  it('uses the program’s icon on every system', () => {
    for (const platform of ['linux', 'mac', 'win'])
      expect((config[platform] as { icon: string }).icon, platform).toBe('packaging/icon.png');
    // A PNG tells its size at its beginning; an installer for a Mac is made from 512 at least.
    const png = readFileSync(join(root, 'packaging', 'icon.png'));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
  });

  it('has the hook that copies the program next to the archive', async () => {
    const hook = (await import(join(root, config.afterPack))) as {
      default: unknown;
      packagesAtRunTime: () => string[];
    };
    expect(typeof hook.default).toBe('function');
    const packages = hook.packagesAtRunTime();
    expect(packages).toEqual(
      expect.arrayContaining([
        'node_modules/better-sqlite3',
        'node_modules/keytar',
        'node_modules/node',
        'node_modules/zod',
      ]),
    );
    expect(packages).not.toContain('node_modules/vitest');
  });

  it('pins all tools in the workflow, which runs on every system', () => {
    const workflow = read('.github/workflows/desktop.yml');
    const steps = [...workflow.matchAll(/npx (?:--yes )?([^\s]+)/g)].map(([, what]) => what ?? '');
    expect(
      steps.filter((what) => !/^@?[\w/-]+@\d+\.\d+\.\d+$/.test(what) && what !== 'playwright'),
    ).toEqual([]);
    for (const system of ['ubuntu-', 'macos-', 'windows-']) expect(workflow).toContain(system);
    // Actions run with the rights of the job: by commit or by exact version, never by a branch.
    expect(
      [...workflow.matchAll(/uses: \S+@(\S+)/g)]
        .map(([, version]) => version)
        .filter((version) => !/^(v\d+(\.\d+)*|[0-9a-f]{40})$/.test(version ?? '')),
    ).toEqual([]);
  });
});
