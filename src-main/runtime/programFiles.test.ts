import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultWorkspace, programFiles } from './programFiles.ts';

const home = homedir();

describe('defaultWorkspace', () => {
  it.each([
    ['linux', {}, join(home, '.local', 'share', 'touchstone')],
    ['linux', { XDG_DATA_HOME: '/data' }, join('/data', 'touchstone')],
    ['freebsd', {}, join(home, '.local', 'share', 'touchstone')],
    [
      'darwin',
      { XDG_DATA_HOME: '/data' },
      join(home, 'Library', 'Application Support', 'Touchstone'),
    ],
    ['win32', {}, join(home, 'AppData', 'Roaming', 'Touchstone')],
    [
      'win32',
      { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' },
      join('C:\\Users\\a\\AppData\\Roaming', 'Touchstone'),
    ],
    ['linux', { TOUCHSTONE_HOME: '/mine', XDG_DATA_HOME: '/data' }, '/mine'],
    ['darwin', { TOUCHSTONE_HOME: '/mine' }, '/mine'],
    ['win32', { TOUCHSTONE_HOME: '/mine', APPDATA: 'C:\\x' }, '/mine'],
  ] as const)('follows the conventions of %s with %j', (platform, environment, folder) => {
    expect(defaultWorkspace(environment, platform)).toBe(folder);
  });

  it.each(['TOUCHSTONE_HOME', 'XDG_DATA_HOME', 'APPDATA'])('ignores an empty %s', (name) => {
    const platform = name === 'APPDATA' ? 'win32' : 'linux';
    expect(defaultWorkspace({ [name]: '' }, platform)).toBe(defaultWorkspace({}, platform));
  });

  it('ignores a relative XDG_DATA_HOME', () => {
    expect(defaultWorkspace({ XDG_DATA_HOME: 'data' }, 'linux')).toBe(
      defaultWorkspace({}, 'linux'),
    );
  });
});

describe('programFiles', () => {
  it('names only files that exist', () => {
    for (const path of [
      programFiles.root,
      programFiles.migrations,
      programFiles.datasets,
      programFiles.commandLine,
    ]) {
      expect([path, isAbsolute(path), existsSync(path)]).toEqual([path, true, true]);
    }
    expect(programFiles.version).toMatch(/^\d+\.\d+\.\d+/);
  });
});
