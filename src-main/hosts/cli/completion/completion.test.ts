import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { memoryIo } from '../../../testing/commandLine.ts';
import { createProgram, loadAllCommands } from '../program.ts';
import { readCommandTable } from './commandTable.ts';
import { completionScript, type Shell } from './shellScripts.ts';

const table = readCommandTable(await loadAllCommands(createProgram(memoryIo())));
/** Null where a shell is there; else why its tests are skipped, for their title. */
const missing = (shell: string): string =>
  spawnSync(shell, ['-c', 'true']).status === 0 ? '' : ` (SKIPPED: ${shell} is not installed here)`;
const shells = { bash: missing('bash'), zsh: missing('zsh'), fish: missing('fish') };

/** Words up to the cursor, the last one unfinished → what is offered. */
const questions: [words: string[], offered: string[]][] = [
  [['ev'], ['eval', 'evaluations']],
  [
    ['suite', ''],
    ['list', 'show', 'rename', 'solution', 'remove', 'import', 'export', 'validate'],
  ],
  [['--workspace', 'eval', 'suite', 'v'], ['validate']],
  [['eval', '--prov'], ['--provider']],
  [['eval', '--provider', 'b'], ['builtin']],
  [
    ['--quiet', 'eval', '--suite', 'open', '--retriever', ''],
    ['default', 'bm25', 'tfidf', 'hybrid'],
  ],
  [['suite', 'export', 'list', '--to', 'p'], ['promptfoo']],
  [['export', '14', '--to', 'h'], ['html']],
  [
    ['keys', 'set', ''],
    ['openai', 'anthropic', 'openai-compatible'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['retrieval', '--k'], []],
  [['security', '--tools', 'x', '--fail-on', 'h'], ['high']],
  [
    ['eval', '--min', 'accuracy=1', '--rep'],
    ['--repetitions', '--replay', '--report'],
  ],
  [
    ['gate', 'to'],
    ['todo report.json', 'tools.json'],
  ],
  [['eval', '--suite', 'tools.j'], ['tools.json']],
  [['salvage', '--out', ''], ['tables']],
];

let folder: TemporaryFolder;
const scriptOf = (shell: Shell): string => {
  const file = join(folder.path, `script.${shell}`);
  writeFileSync(file, completionScript(shell, table));
  return file;
};
const at = () => join(folder.path, 'work');
const runShell = (shell: string, options: string[], script: string): string =>
  execFileSync(shell, [...options, script], { cwd: at(), encoding: 'utf8' });
const asLines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

beforeAll(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder.path, 'work', 'tables'), { recursive: true });
  for (const name of ['todo report.json', 'tools.json'])
    writeFileSync(join(folder.path, 'work', name), '{}');
});
afterAll(async () => {
  await folder.remove();
});

describe('completion', () => {
  it.runIf(shells.bash === '')(
    `offers bash exactly the commands, options and values that exist${shells.bash}`,
    () => {
      const ask = (words: string[]) =>
        `COMP_WORDS=(touchstone ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; COMPREPLY=(); _touchstone; printf '%s\\n' "\${COMPREPLY[@]}"; echo ===`;
      const said = runShell(
        'bash',
        ['-uc'],
        [`. '${scriptOf('bash')}'`, ...questions.map(([words]) => ask(words))].join('\n'),
      );
      const answers = said
        .split('===\n')
        .slice(0, -1)
        .map((part) => asLines(part).sort());
      expect(questions.map(([words], index) => [words.join(' '), answers[index]])).toEqual(
        questions.map(([words, offered]) => [words.join(' '), [...offered].sort()]),
      );
      expect(runShell('bash', ['-c'], `. '${scriptOf('bash')}'; complete -p touchstone`)).toContain(
        '-F _touchstone',
      );
    },
  );

  it.runIf(shells.zsh === '')(`offers zsh the same words as bash${shells.zsh}`, () => {
    const stand =
      'compdef() { : }; compadd() { shift; print -l -- "$@" }; _files() { print -l -- "<files $*>" }';
    const ask = (words: string[]) =>
      `words=(touchstone ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _touchstone; echo '==='`;
    const answered = questions.filter(
      ([, offered]) => !offered.some((word) => /\.json$|^tables$/.test(word)),
    );
    const said = runShell(
      'zsh',
      ['-fc'],
      [stand, `. '${scriptOf('zsh')}'`, ...answered.map(([words]) => ask(words))].join('\n'),
    );
    // The real compadd leaves out what does not begin with the word at the cursor.
    const answers = said
      .split('===\n')
      .slice(0, -1)
      .map((part, index) =>
        asLines(part).filter((word) => word.startsWith(answered[index]?.[0].at(-1) ?? '')),
      );
    expect(answers).toEqual(answered.map(([, offered]) => offered));
  });

  it.runIf(shells.fish === '')(`offers fish the same words as bash${shells.fish}`, () => {
    const answered = questions.filter(
      ([, offered]) => !offered.some((word) => /\.json$|^tables$/.test(word)),
    );
    const ask = (words: string[]) => `complete -C 'touchstone ${words.join(' ')}'; echo ===`;
    const said = runShell(
      'fish',
      ['--no-config', '-c'],
      [`source '${scriptOf('fish')}'`, ...answered.map(([words]) => ask(words))].join('\n'),
    );
    const answers = said
      .split('===\n')
      .slice(0, -1)
      .map((part) =>
        asLines(part)
          .map((line) => line.split('\t')[0])
          .sort(),
      );
    expect(answers).toEqual(answered.map(([, offered]) => [...offered].sort()));
  });

  it('prints the tested script, and refuses a shell that it does not know', async () => {
    const [printed, refused] = await Promise.all([
      runCommand(['completion', 'bash'], { workspace: at() }),
      runCommand(['completion', 'powershell'], { workspace: at() }),
    ]);
    expect([printed.code, printed.stderr, printed.stdout]).toEqual([
      0,
      '',
      completionScript('bash', table),
    ]);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('Give one of bash, zsh, fish'),
    ]);
  });

  it('has every command in the guide', () => {
    const page = readFileSync(join(programFiles.root, 'docs', 'guide', 'cli.md'), 'utf8');
    const rows = page
      .split('\n')
      .flatMap((line) =>
        [...(/^\| (`.*?) \|/.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(
          ([, name = ''], index, all) =>
            index > 0 && all[0]?.[1]?.includes(' ') ? `${all[0][1].split(' ')[0]} ${name}` : name,
        ),
      );
    expect([...rows].sort()).toEqual(
      table
        .filter(({ path, commands }) => path !== '' && commands.length === 0)
        .map(({ path }) => path)
        .sort(),
    );
  });

  it('escapes quotes in descriptions of the fish script', () => {
    const script = completionScript('fish', [
      { path: '', description: '', commands: ['a'], options: [], argument: { kind: 'none' } },
      {
        path: 'a',
        description: "somebody's \\ own",
        commands: [],
        options: [],
        argument: { kind: 'none' },
      },
    ]);
    expect(script).toContain(String.raw`-a a -d 'somebody\'s \\ own'`);
  });
});
