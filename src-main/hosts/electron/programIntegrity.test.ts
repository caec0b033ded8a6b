import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../runtime/sha256.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { checkProgram, findChangedFiles, signedLater } from './programIntegrity.ts';

const files: Record<string, string> = {
  'package.json': '{}',
  'out/main/cli.js': 'export {};',
  'node_modules/native/binding.node': 'machine code',
  'node_modules/node/bin/node': 'x'.repeat(600_000),
};
const manifest = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path, sha256(text)]),
);

/** A packed program: its resources, with the files beside the archive and what it unpacked. */
async function pack() {
  const folder = await temporaryFolder();
  const write = async (path: string, text: string): Promise<void> => {
    const file = join(folder.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const [path, text] of Object.entries(files)) await write(`program/${path}`, text);
  const native = 'node_modules/native/binding.node';
  await write(`app.asar.unpacked/${native}`, files[native] ?? '');
  await write('manifest.json', JSON.stringify(manifest));
  return {
    write,
    at: (path: string) => join(folder.path, path),
    check: () => checkProgram(folder.path, join(folder.path, 'manifest.json')),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('T08: the files beside the archive', () => {
  it('are accepted if nothing changed since packing', async () => {
    await using packed = await pack();
    await expect(packed.check()).resolves.toBeUndefined();
  });

  it.each([
    ['program/out/main/cli.js', 'out/main/cli.js (changed)'],
    ['program/node_modules/node/bin/node', 'node_modules/node/bin/node (changed)'],
    ['program/node_modules/evil.js', 'node_modules/evil.js (added)'],
    ['app.asar.unpacked/node_modules/native/binding.node', 'binding.node (changed)'],
    ['app.asar.unpacked/package.json', 'package.json (changed)'],
    ['app.asar.unpacked/other.node', 'other.node (added)'],
  ])('are refused if %s is not what was packed', async (path, named) => {
    await using packed = await pack();
    await packed.write(path, 'something else');
    await expect(packed.check()).rejects.toThrow(named);
    await expect(packed.check()).rejects.toThrow('Reinstall Touchstone');
  });

  it('are refused if one or all are missing, or the list of them', async () => {
    await using packed = await pack();
    await rm(packed.at('program/package.json'));
    await expect(packed.check()).rejects.toThrow('package.json (removed)');
    await rm(packed.at('program'), { recursive: true });
    await expect(packed.check()).rejects.toThrow('and 1 more');
    await rm(packed.at('manifest.json'));
    await expect(packed.check()).rejects.toThrow('its list of files is missing');
  });

  it.runIf(process.platform !== 'win32')('are refused if one is a link', async () => {
    await using packed = await pack();
    const file = packed.at('program/package.json');
    await rename(file, packed.at('same-content.json'));
    await symlink(packed.at('same-content.json'), file);
    await expect(packed.check()).rejects.toThrow('package.json (changed)');
  });

  it('names three of many changes and counts the rest', async () => {
    await using packed = await pack();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await packed.write(`program/${name}.js`, '');
    await expect(packed.check()).rejects.toThrow(
      'a.js (added), b.js (added), c.js (added) and 2 more',
    );
  });

  it('may be rewritten by signing where the manifest says so, but not be missing', async () => {
    await using packed = await pack();
    const native = 'node_modules/native/binding.node';
    const forMac = { ...manifest, [native]: signedLater };
    await packed.write(`program/${native}`, 'machine code with a signature');
    expect(await findChangedFiles(packed.at('program'), forMac, true)).toEqual([]);
    await rm(packed.at(`program/${native}`));
    expect(await findChangedFiles(packed.at('program'), forMac, true)).toEqual([
      { path: native, change: 'removed' },
    ]);
  });
});
