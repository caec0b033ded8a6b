import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSkillLimits } from './limits.ts';
import { openSkills } from './openSkills.ts';

let base: string;
let folder: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'skills-'));
  folder = join(base, 'skills');
  await mkdir(folder);
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}
const skillText = (name: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`;
const signal = () => new AbortController().signal;
const open = (limits = {}) =>
  openSkills(
    { name: 'mine', config: { transport: 'skills', folder } },
    { ...defaultSkillLimits, ...limits },
  );
const list = (limits = {}) => open(limits).listTools(signal());

describe('openSkills', () => {
  it('lists every folder with a SKILL.md as a tool without parameters', async () => {
    await write('b/SKILL.md', skillText('b'));
    await write('b/scripts/run.py', 'print(1)\n');
    await write('b/assets/logo.png', Buffer.from([0x89, 0x50, 0, 1]));
    await write('a/SKILL.md', skillText('a'));
    await write('notes/readme.md', 'no skill');
    const { tools, rejected } = await list();
    expect(rejected).toEqual([]);
    expect(tools.map(({ tool }) => tool.name)).toEqual(['a', 'b']);
    expect(tools[1]?.tool).toMatchObject({
      server: 'mine',
      description: 'Does b.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      skill: {
        folder: 'b',
        body: 'Do it.\n',
        bodyLine: 5,
        files: [
          { path: 'assets/logo.png', bytes: 4, text: null, problem: null },
          { path: 'scripts/run.py', bytes: 9, text: 'print(1)\n', problem: null },
        ],
      },
    });
  });

  it('finds skills at any depth, with their path, and none within a skill', async () => {
    await write('office/pdf/forms/SKILL.md', skillText('forms'));
    await write('office/pdf/forms/examples/old/SKILL.md', skillText('old'));
    await write('office/mail/SKILL.md', skillText('mail'));
    await write('node_modules/other/SKILL.md', skillText('other'));
    await write('flat/SKILL.md', skillText('flat'));
    const { tools, rejected } = await list();
    expect(rejected).toEqual([]);
    expect(tools.map(({ tool }) => tool.skill?.folder)).toEqual([
      'flat',
      'office/mail',
      'office/pdf/forms',
    ]);
    expect((await list({ depth: 2 })).tools.map(({ tool }) => tool.name)).toEqual(['flat', 'mail']);
  });

  it('reads a folder that is a skill itself', async () => {
    await write('SKILL.md', skillText('only'));
    await write('docs/a.md', 'a');
    const { tools } = await list();
    expect(tools.map(({ tool }) => tool.name)).toEqual(['only']);
    expect(tools[0]?.tool.skill?.files.map(({ path }) => path)).toEqual(['docs/a.md']);
  });

  it('gives another text to hash when only a binary file changes', async () => {
    await write('a/SKILL.md', skillText('a'));
    await write('a/logo.png', Buffer.from([0, 1]));
    const [before] = (await list()).tools;
    await write('a/logo.png', Buffer.from([0, 2]));
    const [after] = (await list()).tools;
    expect(after?.raw).not.toBe(before?.raw);
  });

  it('rejects malformed skills by name, with line and reason, and keeps the others', async () => {
    await write('good/SKILL.md', skillText('good'));
    await write('broken/SKILL.md', '---\nname: x\ndescription: [\n---\n');
    await write('twin/SKILL.md', skillText('good'));
    await write('binary/SKILL.md', Buffer.from([0xff, 0xfe, 0x41]));
    await write('large/SKILL.md', skillText('large', 'x'.repeat(2_000)));
    const { tools, rejected } = await list({ skillBytes: 1_000 });
    expect(tools.map(({ tool }) => tool.name)).toEqual(['good']);
    expect(rejected).toEqual([
      { server: 'mine', name: 'binary', reason: 'SKILL.md: It isn’t text in UTF-8.' },
      {
        server: 'mine',
        name: 'broken',
        reason: expect.stringMatching(/^SKILL\.md, line \d: Its frontmatter isn’t YAML/) as string,
      },
      { server: 'mine', name: 'large', reason: 'SKILL.md: It is larger than 1 kB.' },
      { server: 'mine', name: 'twin', reason: expect.stringContaining('named good too') as string },
    ]);
  });

  it('follows no link out of the folder', async () => {
    await writeFile(join(base, 'secret.txt'), 'hidden');
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside', 'SKILL.md'), skillText('outside'));
    await write('a/SKILL.md', skillText('a'));
    await write('shared/notes.md', 'shared');
    await mkdir(join(folder, 'b'));
    await symlink(join(base, 'secret.txt'), join(folder, 'a', 'secret.txt'));
    await symlink(join(folder, 'shared', 'notes.md'), join(folder, 'a', 'notes.md'));
    await symlink(join(folder, 'a'), join(folder, 'a', 'loop'));
    await symlink(join(base, 'outside'), join(folder, 'outside'));
    await symlink(join(base, 'outside', 'SKILL.md'), join(folder, 'b', 'SKILL.md'));
    const { tools, rejected } = await list();
    expect(
      tools[0]?.tool.skill?.files.map(({ path, text, problem }) => [path, text, problem]),
    ).toEqual([
      ['loop', null, "It's a folder."],
      ['notes.md', 'shared', null],
      ['secret.txt', null, 'It is a link out of the folder.'],
    ]);
    expect(rejected.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'b: Its SKILL.md is a link out of the folder.',
      'outside: It is a link out of the folder. Add the folder it leads to.',
    ]);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    await write('a/SKILL.md', skillText('a'));
    execFileSync('mkfifo', [join(folder, 'a', 'pipe')]);
    const { tools } = await list();
    expect(tools[0]?.tool.skill?.files).toMatchObject([
      { path: 'pipe', text: null, problem: 'It is a named pipe.' },
    ]);
  });

  it('rejects a skill with too many files, and lists a large file without reading it', async () => {
    for (let index = 0; index < 4; index += 1) await write(`many/${index}.md`, 'x');
    await write('many/SKILL.md', skillText('many'));
    await write('big/SKILL.md', skillText('big'));
    await write('big/data.txt', 'x'.repeat(1_500));
    const { tools, rejected } = await list({ files: 3, fileBytes: 1_000 });
    expect(rejected).toMatchObject([{ name: 'many', reason: 'It has more than 3 files.' }]);
    expect(tools[0]?.tool.skill?.files).toMatchObject([
      { path: 'data.txt', bytes: 1_500, text: null, problem: 'It is larger than 1 kB.' },
    ]);
  });

  it.each([
    ['a missing folder', async () => rm(folder, { recursive: true }), /There is no folder/],
    ['a folder without skills', async () => undefined, /none of its folders has a SKILL\.md/],
    [
      'a file',
      async () => {
        await rm(folder, { recursive: true });
        await writeFile(folder, 'x');
      },
      /isn’t a folder/,
    ],
  ])('names %s and the next step', async (_what, prepare, cause) => {
    await prepare();
    await expect(list()).rejects.toMatchObject({
      code: 'TROUBLE',
      data: { thing: 'Server mine', cause: expect.stringMatching(cause) as string },
    });
  });

  it('lists no part of a folder with too many skills', async () => {
    await write('a/SKILL.md', skillText('a'));
    await write('b/SKILL.md', skillText('b'));
    await expect(list({ skills: 1 })).rejects.toMatchObject({
      data: { cause: 'The folder has more than 1 skills.' },
    });
  });

  it('answers a call with the body and runs nothing', async () => {
    await write('a/SKILL.md', skillText('a', 'Run `touch proof`.'));
    await expect(open().callTool('a', {}, signal())).resolves.toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'Run `touch proof`.\n' }],
    });
    await expect(open().callTool('c', {}, signal())).resolves.toMatchObject({ isError: true });
  });

  it('stops at the deadline', async () => {
    // One file can be read within the tick in which the timer of 0 ms is due; these can't.
    for (let index = 0; index < 300; index += 1)
      await write(`s-${index}/SKILL.md`, skillText(`s-${index}`));
    await expect(list({ listMs: 0 })).rejects.toMatchObject({
      data: { cause: 'The folder could not be read within 0 s.' },
    });
  });
});
