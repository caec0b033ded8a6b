import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { findSources, sourceFolder } from './sourcePlaces.ts';

const { signal } = new AbortController();
const oldText = 'Adds a task to the user\'s "list".';
const edit = {
  toolId: 's:add',
  path: '/description',
  oldText,
  newText: 'Adds a task, it\'s "new".\nReturns its ID.',
};

async function project(files: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  return folder;
}

describe('the source of a server', () => {
  it.each([
    ['single quotes', String.raw`d: 'Adds a task to the user\'s "list".',`],
    ['double quotes', String.raw`d: "Adds a task to the user's \"list\".",`],
    ['a text block', `"""\n${oldText}\n"""`],
  ])('is found and changed in %s, without other changes', async (_what, line) => {
    await using folder = await project({
      'package.json': '{}',
      'src/tools.ts': `const a = 1;\n${line}\nconst b = 2;\n`,
      'node_modules/x/copy.js': line,
    });
    const [found, ...more] = await findSources(folder.path, [edit], signal);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ file: 'src/tools.ts', toolId: 's:add' });
    expect(found?.line).toBe(line.startsWith('"""') ? 3 : 2);
    const text = await readFile(join(folder.path, 'src/tools.ts'), 'utf8');
    const patched = applyPatch(text, found?.diff ?? '');
    expect(patched).toContain('Returns its ID.');
    expect(patched).toContain('const b = 2;');
    // Nothing was written.
    expect(text).toContain(line);
  });

  it('is left out where the text stands at two places or nowhere', async () => {
    const line = `"""${oldText}"""\n`;
    await using folder = await project({ 'a.py': line, 'b.py': line });
    expect(await findSources(folder.path, [edit], signal)).toEqual([]);
    expect(
      await findSources(folder.path, [{ ...edit, oldText: 'Never written.' }], signal),
    ).toEqual([]);
  });

  it('is the project of the script that the server starts', async () => {
    await using folder = await project({ 'package.json': '{}', 'dist/index.js': '' });
    const stdio = { transport: 'stdio' as const, command: 'node', cwd: null, env: {} };
    const script = join(folder.path, 'dist/index.js');
    expect(await sourceFolder({ ...stdio, args: [script] })).toBe(folder.path);
    expect(await sourceFolder({ ...stdio, cwd: folder.path, args: ['./dist/index.js'] })).toBe(
      folder.path,
    );
    expect(
      await sourceFolder({ ...stdio, command: 'npx', args: ['-y', 'some-server'] }),
    ).toBeNull();
    expect(
      await sourceFolder({ transport: 'streamable-http', url: 'http://127.0.0.1:1/', headers: {} }),
    ).toBeNull();
  });
});
