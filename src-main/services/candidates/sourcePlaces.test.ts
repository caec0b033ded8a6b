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

async function project(files: Record<string, string | Buffer>) {
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
    const {
      places: [found, ...more],
      unread,
    } = await findSources(folder.path, [edit], signal);
    expect([more, unread]).toEqual([[], []]);
    expect(found).toMatchObject({ file: 'src/tools.ts', toolId: 's:add' });
    expect(found?.line).toBe(line.startsWith('"""') ? 3 : 2);
    const text = await readFile(join(folder.path, 'src/tools.ts'), 'utf8');
    const patched = applyPatch(text, found?.diff ?? '');
    expect(patched).toContain('Returns its ID.');
    expect(patched).toContain('const b = 2;');
    // Nothing was written.
    expect(text).toContain(line);
  });

  const line = `d = """${oldText}"""\n`;
  const inJson = JSON.stringify({ description: oldText });
  it.each([
    [
      'the code, before a README that repeats it',
      { 'README.md': line, 'src/a.py': line },
      'src/a.py',
    ],
    ['src, before dist', { 'dist/a.js': line, 'src/a.ts': line }, 'src/a.ts'],
    ['src, before its test', { 'src/a.ts': line, 'src/a.test.ts': line }, 'src/a.ts'],
    [
      'a file of definitions, before documents',
      { 'tools.json': inJson, 'docs/b.md': line },
      'tools.json',
    ],
    ['code, before a file of definitions', { 'tools.json': inJson, 'a.py': line }, 'a.py'],
    ['dist, where nothing else holds it', { 'dist/a.js': line, 'README.md': line }, 'dist/a.js'],
    ['the SKILL.md of a skill', { 'x/SKILL.md': line, 'README.md': line }, 'x/SKILL.md'],
  ])('is %s', async (_what, files, file) => {
    await using folder = await project(files);
    const found = await findSources(folder.path, [edit], signal);
    expect(found.places.map((place) => place.file)).toEqual([file]);
    expect(found.choices).toEqual([]);
  });

  it.each([
    ['two files of code', { 'a.py': line, 'b.py': line }, ['a.py', 'b.py']],
    ['two lines of one file', { 'a.py': line + line }, ['a.py', 'a.py']],
    ['a README alone', { 'README.md': line }, ['README.md']],
  ])('is left to a person where it stands in %s', async (_what, files, expected) => {
    await using folder = await project(files);
    const { places, choices } = await findSources(folder.path, [edit], signal);
    expect(places).toEqual([]);
    expect(choices.map(({ file }) => file).sort()).toEqual(expected);
    const last = choices.at(-1);
    const picked = await findSources(
      folder.path,
      [edit],
      signal,
      new Set([`${last?.file}:${last?.line}`]),
    );
    expect(picked.places).toMatchObject([{ file: last?.file, line: last?.line }]);
    // The choice can be changed.
    expect(picked.choices).toEqual(choices);
  });

  it('is nowhere where no file holds the text, or only its parts', async () => {
    await using folder = await project({ 'a.ts': "d = 'Adds a task ' + 'to the list.'" });
    expect(
      await findSources(folder.path, [{ ...edit, oldText: 'Adds a task to the list.' }], signal),
    ).toEqual({ places: [], choices: [], unread: [] });
  });

  it.each([
    [
      'Windows-1252',
      Buffer.from(`# café\n"""${oldText}"""\n`, 'latin1'),
      'Line 1, column 6: It isn’t UTF-8: byte 6 (0xE9) starts no character. Save it as UTF-8.',
    ],
    [
      'UTF-16 with a byte order mark',
      Buffer.from(`\ufeff# café\n"""${oldText}"""\n`, 'utf16le'),
      'It’s UTF-16LE. Save it as UTF-8.',
    ],
    [
      'UTF-16 without one',
      Buffer.from(`# café\n"""${oldText}"""\n`, 'utf16le'),
      'Line 1, column 1: It looks like UTF-16LE without a byte order mark. Save it as UTF-8.',
    ],
  ])('gets no diff in %s, and is named', async (_what, bytes, cause) => {
    await using folder = await project({
      'src/a.py': bytes,
      // It doesn't hold the text, so nothing is said of it.
      'src/b.py': Buffer.from('# naïve\n', 'latin1'),
    });
    expect(await findSources(folder.path, [edit], signal)).toEqual({
      places: [],
      choices: [],
      unread: [{ file: 'src/a.py', cause }],
    });
  });

  it('keeps the byte order mark of UTF-8 in its diff', async () => {
    await using folder = await project({ 'a.py': `\ufeff"""${oldText}"""\n` });
    const {
      places: [found],
    } = await findSources(folder.path, [edit], signal);
    const text = await readFile(join(folder.path, 'a.py'), 'utf8');
    expect(applyPatch(text, found?.diff ?? '')).toContain('\ufeff"""Adds a task, it');
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
