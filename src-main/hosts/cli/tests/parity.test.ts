import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contract } from '../../../../src-shared/contract/index.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { memoryIo } from '../../../testing/commandLine.ts';
import { readCommandTable } from '../completion/commandTable.ts';
import { createProgram, loadAllCommands } from '../program.ts';
import { abilities } from './parity.fixture.ts';
import type { Ability } from './parityAbility.fixture.ts';

const at = (...names: string[]): string => join(programFiles.root, ...names);

it('lists every procedure of the contract exactly once', () => {
  const all = Object.entries(contract).flatMap(([topic, procedures]) =>
    Object.keys(procedures).map((name) => `${topic}.${name}`),
  );
  expect(abilities.flatMap(({ procedures }) => procedures).sort()).toEqual(all.sort());
});

it('lists every command, and none that does not exist', async () => {
  const paths = readCommandTable(await loadAllCommands(createProgram(memoryIo()))).map(
    ({ path }) => path,
  );
  // A group is listed by its commands.
  const commands = paths.filter(
    (path) =>
      !/(^|\s)help$/.test(path) &&
      path !== '' &&
      !paths.some((other) => other.startsWith(`${path} `)),
  );
  const listed = [...new Set(abilities.flatMap((ability) => ability.commands))];
  expect(listed.sort()).toEqual(commands.sort());
});

it('names the place in the window as its navigation does', () => {
  const places = readFileSync(at('src-renderer', 'shell', 'places.ts'), 'utf8');
  const labels = [...places.matchAll(/label: '([^']+)'/g)].map(([, label]) => label);
  for (const { does, window } of abilities)
    expect([null, 'everywhere', ...labels], does).toContain(window);
});

it('has a reason for what only one of both does, and for nothing else', () => {
  for (const { does, window, commands, why } of abilities)
    expect([does, why !== undefined]).toEqual([does, window === null || commands.length === 0]);
});

it('names no command as missing that calls what it would need', () => {
  const folder = at('src-main', 'hosts', 'cli');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/test|fixture/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/\s/g, ''))
    .join('\n');
  // Reading one setting for a default is not changing it, a note is no page of facts, and what leaves
  // the sample out doesn't add it.
  const read = ['settings.get', 'settings.info', 'settings.sample'];
  const called = abilities
    .filter(({ commands }) => commands.length === 0)
    .flatMap(({ procedures }) => procedures)
    .filter((name) => !read.includes(name) && sources.includes(`.${name}(`));
  expect(called).toEqual([]);
});

function row({ does, window, commands, why = '' }: Ability): string {
  const own = commands.map((name) => `\`${name}\``).join(', ');
  return `| ${does} | ${window ?? `– ${why}`} | ${own === '' ? `– ${why}` : own} |`;
}

/** Run with `--update` after a change of the list. */
it('is what the guide says', async () => {
  const text = `# Window and command line

Both use the same services and the same workspace. What one can do, the other can do as well, except where this table gives a reason. Commands are explained in [Use the command line](cli.md).

| to | in the window | on the command line |
| --- | --- | --- |
${abilities.map(row).join('\n')}

[All pages](README.md)
`;
  await expect(text).toMatchFileSnapshot(at('docs', 'guide', 'parity.md'));
});
