import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programFiles } from '../../../runtime/programFiles.ts';
import { runCommand, startCommand, type Ended } from '../../../testing/commandLine.ts';
import { smallDisk } from '../../../testing/smallDisk.ts';
import { testedProgram } from '../../../testing/testedProgram.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { writeOutput } from '../output/writeOutput.ts';

let folder: TemporaryFolder;
let evaluated: {
  number: number;
  metrics: unknown;
  counts: { total: number };
  failed_runs?: unknown;
};
const at = (name: string): string => join(folder.path, name);
const run = (...args: string[]): Promise<Ended> => runCommand(args, { workspace: at('workspace') });
const sample = ['eval', '--suite', 'todo-sample', '--provider', 'builtin', '--quiet', '--json'];

beforeAll(async () => {
  folder = await temporaryFolder();
  const { code, stdout } = await run(
    ...sample,
    '--stamp',
    'now',
    '--report',
    at('r.html'),
    at('r.md'),
    at('r.json'),
    at('r.csv'),
    at('r.xml'),
  );
  expect(code).toBe(0);
  evaluated = JSON.parse(stdout) as typeof evaluated;
});
afterAll(async () => {
  await folder.remove();
});

describe('export and eval --report', () => {
  it.each([
    ['html', 'r.html'],
    ['md', 'r.md'],
    ['json', 'r.json'],
    ['csv', 'r.csv'],
    ['junit', 'r.xml'],
  ])(
    '%s has the same bytes from eval and export, in a file and on standard output',
    async (format, file) => {
      const expected = readFileSync(at(file), 'utf8');
      const printed = await run('export', `#${evaluated.number}`, '--to', format, '--stamp', 'now');
      expect([printed.code, printed.stderr, printed.stdout === expected]).toEqual([0, '', true]);
      const written = await run(
        'export',
        String(evaluated.number),
        '--to',
        format,
        '--stamp',
        'now',
        '--out',
        at('again'),
      );
      expect([
        written.code,
        written.stdout,
        readFileSync(at('again'), 'utf8') === expected,
      ]).toEqual([0, '', true]);
      expect(
        (
          await run(
            'export',
            String(evaluated.number),
            '--to',
            format,
            '--stamp',
            'now',
            '--out',
            '-',
          )
        ).stdout === expected,
      ).toBe(true);
    },
  );

  it('the JSON report has the numbers of eval, matches its schema and passes through gate', async () => {
    const document = JSON.parse(readFileSync(at('r.json'), 'utf8')) as object;
    // Its rows say of each run what the printed result says of failed ones.
    const { failed_runs: _failed, ...numbers } = evaluated;
    expect(document).toMatchObject({ ...numbers, duration_ms: null });
    const schema = JSON.parse(
      readFileSync(join(programFiles.datasets, 'evaluation_report.schema.json'), 'utf8'),
    ) as object;
    expect(new Ajv2020({ allowUnionTypes: true }).compile(schema)(document)).toBe(true);
    expect((await run('gate', at('r.json'), '--min', 'selection_f1=0.1')).code).toBe(0);
    expect((await run('gate', at('r.json'), '--min', 'selection_f1=0.99')).code).toBe(1);
  });

  it('T63: keeps the old file when a target cannot be written, and ends with 2', async () => {
    mkdirSync(at('folder'));
    mkdirSync(at('locked'));
    writeFileSync(at('locked/old.html'), 'what was there');
    chmodSync(at('locked'), 0o555);
    for (const target of ['folder', 'missing/x.html', 'r.md/x.html']) {
      const { code, stderr, stdout } = await run(
        'export',
        String(evaluated.number),
        '--to',
        'html',
        '--out',
        at(target),
      );
      expect([code, stdout], target).toEqual([2, '']);
      expect(stderr, target).toContain(at(target));
    }
    // Where nothing can be refused to this user, the file is written whole.
    const locked = await run(
      'export',
      String(evaluated.number),
      '--to',
      'html',
      '--out',
      at('locked/old.html'),
    );
    const now = readFileSync(at('locked/old.html'), 'utf8');
    expect(locked.code === 2 ? now === 'what was there' : now.endsWith('</html>\n')).toBe(true);
    expect(readdirSync(at('locked'))).toEqual(['old.html']);
    chmodSync(at('locked'), 0o755);
    const whole = readFileSync(at('r.csv'), 'utf8');
    expect((await run('export', '4711', '--to', 'csv', '--out', at('r.csv'))).code).toBe(2);
    expect(readFileSync(at('r.csv'), 'utf8')).toBe(whole);
    const gated = await run(
      ...sample,
      '--min',
      'selection_f1=0.99',
      '--report',
      at('missing/x.html'),
    );
    // Refused before anything is asked: no answer, and the next evaluation gets the next number.
    expect([gated.code, gated.stdout]).toEqual([2, '']);
    const passed = await run(...sample, '--min', 'selection_f1=0.99', '--report', at('gated.xml'));
    expect([passed.code, JSON.parse(passed.stdout)]).toEqual([
      1,
      expect.objectContaining({ number: evaluated.number + 1, metrics: evaluated.metrics }),
    ]);
    expect(readFileSync(at('gated.xml'), 'utf8')).toContain('</testsuites>');
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('T63: refuses a target that cannot be written before any work starts', async () => {
    writeFileSync(at('kept.xml'), 'kept');
    chmodSync(at('kept.xml'), 0o444);
    const corpus = [
      '--corpus',
      join(programFiles.datasets, 'corpus_v1.json'),
      '--golden',
      join(programFiles.datasets, 'retrieval_golden_v1.json'),
      '--retriever',
      'default',
    ];
    const commands = [
      [...sample, '--report', at('kept.xml')],
      [...sample, '--record', at('missing/r.jsonl')],
      ['security', '--tools', at('r.md'), '--report', at('missing/x.sarif')],
      ['retrieval', ...corpus, '--save-baseline', at('kept.xml')],
    ];
    const ended = await Promise.all(commands.map((args) => run(...args)));
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual(commands.map(() => [2, '']));
    expect(ended.map(({ stderr }) => stderr.split(': ')[1]?.split('. ')[0])).toEqual([
      'It exists and is read-only',
      "The file can't be created",
      "The file can't be created",
      'It exists and is read-only',
    ]);
    expect(readFileSync(at('kept.xml'), 'utf8')).toBe('kept');
    chmodSync(at('kept.xml'), 0o644);
  });

  it.runIf(smallDisk.unavailable === null)(
    `T63: keeps the old file on a full disk and ends with 3${smallDisk.unavailable === null ? '' : ` (SKIPPED: ${smallDisk.unavailable})`}`,
    () => {
      mkdirSync(at('disk'));
      const [command = '', ...prefix] = smallDisk.under(at('disk'));
      const script =
        'printf old > "$1/old.html"; cat /dev/zero > "$1/fill" 2>/dev/null; "$2" "$3" export 1 --to html --out "$1/old.html"; echo "$?"; cat "$1/old.html"; echo; ls "$1"';
      const { stdout, stderr } = spawnSync(
        command,
        [...prefix, 'sh', '-c', script, 'sh', at('disk'), process.execPath, testedProgram],
        { encoding: 'utf8', env: { ...process.env, TOUCHSTONE_HOME: at('workspace') } },
      );
      expect(stderr).toBe(
        `${at('disk/old.html')}: Its disk is full. Free some space, or choose another location.\n`,
      );
      expect(stdout.split('\n')).toEqual(['3', 'old', 'fill', 'old.html', '']);
    },
  );

  it('T63: keeps the old file when a report fails midway', async () => {
    writeFileSync(at('kept.html'), 'old');
    async function* broken(): AsyncIterable<string> {
      yield 'new '.repeat(100_000);
      throw new Error('half-way');
    }
    await expect(writeOutput(at('kept.html'), broken())).rejects.toThrow('half-way');
    expect(readFileSync(at('kept.html'), 'utf8')).toBe('old');
    async function* whole(): AsyncIterable<string> {
      yield 'one ';
      yield 'two';
    }
    await writeOutput(at('kept.html'), whole());
    expect(readFileSync(at('kept.html'), 'utf8')).toBe('one two');
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('ends with 0 when its reader closes the pipe', async () => {
    const child = startCommand(['export', String(evaluated.number), '--to', 'html'], {
      workspace: at('workspace'),
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [['export', '1'], '--to'],
    [['export', '1', '--to', 'pdf'], 'pdf'],
    [['export', '1', '--to', 'csv', '--short'], '--short'],
    [['export', '1', '--to', 'html', '--out', ''], '--out'],
    [['export', '1', '--to', 'html', '--stamp', 'x'.repeat(201)], '--stamp'],
    [['export', 'nothing', '--to', 'md'], 'nothing'],
    [[...sample, '--report', 'report.pdf'], 'report.pdf'],
    [[...sample, '--report', '-'], '--report -'],
  ])('ends %j with 2, names the bad input and runs nothing', async (args, named) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
    expect(existsSync('report.pdf')).toBe(false);
  });
});
