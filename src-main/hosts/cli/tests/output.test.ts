import { describe, expect, it } from 'vitest';
import { guardedIo } from '../commandIo.ts';
import { createOutput, table, type GlobalOptions } from '../output/output.ts';
import { createProgram, loadAllCommands } from '../program.ts';
import { memoryIo, spawnCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import { runProgram } from '../runProgram.ts';
import { readCommandTable } from '../completion/commandTable.ts';

/** A stream that says of itself that it is a terminal, or not, and keeps what is written. */
function stream(isTTY: boolean, columns = 100) {
  let written = '';
  return {
    isTTY,
    columns,
    write: (text: string) => (written += text) !== '',
    text: () => written,
  };
}

function output(
  isTTY: boolean,
  options: GlobalOptions = {},
  environment: NodeJS.ProcessEnv = { TERM: 'xterm' },
  columns = 100,
) {
  const [out, err] = [stream(isTTY), stream(isTTY, columns)];
  const io = guardedIo({ ...memoryIo(), stdout: out, stderr: err, env: environment });
  return { ...createOutput(options, io), io, out, err };
}

const red = '\u001b[31m';

describe('a large answer', () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => ({ at, text: 'words '.repeat(20) }));

  it('is the same in turns of the event loop as at once', async () => {
    const [atOnce, inTurns] = [output(false, { json: true }), output(false, { json: true })];
    atOnce.answer(rows, () => '');
    await inTurns.answerInTurns(rows, () => '', new AbortController().signal);
    expect(inTurns.out.text()).toBe(atOnce.out.text());
    expect(JSON.parse(inTurns.out.text())).toEqual(rows);
  });

  it('is not begun after an interrupt, and ends at one that comes while it is written', async () => {
    const made = output(false, { json: true });
    const early = new AbortController();
    const answer = made.answerInTurns(rows, () => '', early.signal);
    early.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    expect(made.out.text()).toBe('');

    const late = new AbortController();
    const all = made.out.write;
    made.out.write = (text) => {
      late.abort(new Error('stopped'));
      return all(text);
    };
    await expect(made.answerInTurns(rows, () => '', late.signal)).rejects.toThrow('stopped');
    const written = made.out.text();
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThan(JSON.stringify(rows).length / 2);
  });
});

describe('progress', () => {
  it('redraws one bar with the remaining time on a terminal', () => {
    const made = output(true);
    const startedAt = Date.now() - 60_000;
    made.progress(0, 40, startedAt);
    made.progress(10, 40, startedAt);
    made.progress(40, 40, startedAt);
    made.endProgress();
    const lines = made.err.text().split('\r\u001b[2K').slice(1);
    expect(lines[0]).toBe(`${'░'.repeat(24)} 0/40`);
    expect(lines[1]).toMatch(/^█{6}░{18} 10\/40 · 3 min 0 s left$/);
    expect(lines[2]).toBe(`${'█'.repeat(24)} 40/40 · 0 ms left\n`);
    expect(made.out.text()).toBe('');
  });

  it.each<[string, boolean, NodeJS.ProcessEnv]>([
    ['a pipe', false, { TERM: 'xterm' }],
    ['a dumb terminal', true, { TERM: 'dumb' }],
  ])('%s gets one line per tenth and no bar', (_what, isTTY, environment) => {
    const made = output(isTTY, {}, environment);
    for (let done = 1; done <= 10_000; done += 1) made.progress(done, 10_000, Date.now());
    expect(
      made.err
        .text()
        .split('\n')
        .filter((line) => line !== ''),
    ).toEqual(
      ['1', '1000', '2000', '3000', '4000', '5000', '6000', '7000', '8000', '9000', '10000'].map(
        (done) => `${done}/10000 runs`,
      ),
    );
    expect(made.err.text()).not.toMatch(/[\r\u001b█]/);
  });

  it('--quiet hides progress and notes but not errors', () => {
    for (const isTTY of [true, false]) {
      const made = output(isTTY, { quiet: true, color: false });
      made.progress(1, 2, Date.now());
      made.note('a note');
      made.error('an error');
      expect(made.err.text()).toBe('an error\n');
    }
  });

  it('starts a message on a new line after the bar', () => {
    const made = output(true);
    made.progress(1, 2, Date.now());
    made.note('a note');
    expect(made.err.text()).toMatch(/left\na note\n$/);
  });

  it('keeps the bar within a narrow terminal', () => {
    const made = output(true, {}, {}, 40);
    made.progress(1, 2, Date.now());
    expect(made.err.text()).toMatch(/[█░]{6} 1\/2/);
    expect(made.err.text()).not.toMatch(/[█░]{7}/);
  });
});

describe('color', () => {
  it.each<[string, boolean, GlobalOptions, NodeJS.ProcessEnv, boolean]>([
    ['a terminal', true, {}, {}, true],
    ['a terminal with an empty NO_COLOR', true, {}, { NO_COLOR: '' }, true],
    ['--no-color', true, { color: false }, {}, false],
    ['NO_COLOR', true, {}, { NO_COLOR: '1' }, false],
    ['a dumb terminal', true, {}, { TERM: 'dumb' }, false],
    ['a pipe', false, {}, {}, false],
  ])(
    '%s: errors are red only where color is wanted',
    (_what, isTTY, options, environment, coloured) => {
      const made = output(isTTY, options, environment);
      made.error('an error');
      expect(made.err.text().startsWith(red)).toBe(coloured);
      expect(made.err.text()).toContain('an error');
    },
  );
});

describe('help', async () => {
  const program = await loadAllCommands(createProgram(memoryIo()));
  it.each(
    readCommandTable(program).map(({ path }) => [path === '' ? 'touchstone' : path, path] as const),
  )('of %s has a description and an example', (_name, path) => {
    const command = path
      .split(' ')
      .reduce((at, name) => at.commands.find((each) => each.name() === name) ?? at, program);
    let text = '';
    command.configureOutput({ writeOut: (part) => (text += part) });
    command.outputHelp();
    const [, example = ''] = /Examples?:\n((?: {2}.*\n?)+)/.exec(text) ?? [];
    expect(example).toMatch(
      path === '' || command.commands.length > 0
        ? /^ {2}touchstone /
        : new RegExp(`^ {2}touchstone ${path}`, 'm'),
    );
    expect(command.description().length).toBeGreaterThan(10);
  });
});

it.each([
  ['zero-width characters', 'a\u200bb\ufeffc', 'a\\u200bb\\ufeffc'],
  ['marks that turn the direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['tags of Unicode', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['a soft hyphen and a filler', 'a\u00adb\u3164c', 'a\\u00adb\\u3164c'],
  ['control characters', 'a\u001b[31mb\u009bc\u007f', 'a\\u001b[31mb\\u009bc\\u007f'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
])('writes %s as codes, in answers, notes, errors and tables', (_what, text, shown) => {
  const made = output(false);
  made.answer(null, () => `${text}\n${table([[text, 'x']])}`);
  made.note(text);
  made.error(text);
  made.io.stderr.write(`${text}\n`);
  expect(made.out.text()).toBe(`${shown}\n${shown}  x\n`);
  expect(made.err.text()).toBe(`${shown}\n${shown}\n${shown}\n`);
});

it.each([
  ['an unknown option', ['eval', '--a\u001b[31m\u202e']],
  ['an unknown command', ['a\u001b[31m\u202e']],
  ['an unknown encoding', ['--encoding', 'a\u001b[31m\u202e', 'tokens']],
])('writes %s as codes', async (_what, args) => {
  const io = memoryIo();
  await runProgram(createProgram(io), args, io);
  expect(io.stderr.text).toContain('a\\u001b[31m\\u202e');
  expect(io.stderr.text).not.toMatch(/[\u001b\u202e]/);
});

it('writes what Node says last as codes', async () => {
  const warning = "process.emitWarning('a\\u001b[31m\\u202e')";
  const failure = "setImmediate(() => { throw new Error('b\\u001b[31m\\u202e') })";
  await using folder = await temporaryFolder();
  const { code, stderr } = await spawnCommand(['servers', 'list'], {
    workspace: folder.path,
    env: {
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`setTimeout(() => { ${warning}; ${failure} })`)}`,
    },
  });
  expect(stderr).toContain('warning: a\\u001b[31m\\u202e\n');
  expect(stderr).toContain('Something went wrong inside Touchstone: Error: b\\u001b[31m\\u202e\n');
  expect(code).toBe(3);
});

it('keeps what belongs to an emoji and to letters that join', () => {
  const made = output(false);
  const text = '👩‍💻 ❤️ می‌خواهم';
  made.line(text);
  expect(made.out.text()).toBe(`${text}\n`);
});
