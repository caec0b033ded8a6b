import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporaryFolder.ts';
import { readCases, type RecordedRun } from './matchers.ts';
import TouchstoneReporter from './reporter.ts';
import { openScorer, type RecordedExchange } from './scoring.ts';
import './vitest.ts';

const tools = [
  {
    name: 'book',
    inputSchema: {
      type: 'object',
      properties: { day: { type: 'string' }, kg: { type: 'number' } },
      required: ['day'],
      additionalProperties: false,
    },
  },
  { name: 'track', inputSchema: { type: 'object', properties: { id: { type: 'string' } } } },
];
const run = (...actual_calls: RecordedRun['actual_calls']): RecordedRun => ({
  tools,
  actual_calls,
});
const book = (args: unknown) => ({ name: 'book', arguments: args });

describe('expect(run)', () => {
  it.each([
    ['the call', run(book({ day: 'monday' })), 'book', { day: 'monday' }],
    ['arguments as text', run(book('{"day":"monday"}')), 'book', { day: 'monday' }],
    ['a matcher', run(book({ day: 'monday' })), 'book', { day: { $regex: '^mon' } }],
    ['the schema alone', run(book({ day: 'x' })), 'book', undefined],
    ['any of several', run(book({ day: 'x' })), ['track', 'book'], undefined],
  ])('accepts %s', (_what, given, tool, args) => {
    expect(given).toCallTool(tool, args);
    expect(() => expect(given).not.toCallTool(tool, args)).toThrow('it should not');
  });

  it.each([
    ['another value', run(book({ day: 'saturday' })), 'day: expected "monday", got "saturday"'],
    ['a missing one', run(book({})), 'day: missing, expected "monday"'],
    ['another tool', run({ name: 'track', arguments: {} }), 'book'],
    ['no call', run(), 'book'],
    ['a made-up tool', run({ name: 'fly', arguments: {} }), 'fly'],
    ['one call too many', run(book({ day: 'monday' }), { name: 'track', arguments: {} }), 'track'],
  ])('says what is wrong with %s', (_what, given, text) => {
    expect(given).not.toCallTool('book', { day: 'monday' });
    expect(() => expect(given).toCallTool('book', { day: 'monday' })).toThrow(text);
  });

  it('passes over allowed calls, and can demand exact arguments, an order or no call', () => {
    const both = run({ name: 'track', arguments: {} }, book({ day: 'monday', kg: 1 }));
    const track = { name: 'track' };
    expect(both).toCallTool('book', { day: 'monday' }, { allowed_calls: [track] });
    expect(both).not.toCallTool(
      'book',
      { day: 'monday' },
      { allowed_calls: [track], arguments_mode: 'exact' },
    );
    expect(both).toCallTools([{ name: 'book' }, track]);
    expect(both).not.toCallTools([{ name: 'book' }, track], { order_dependent: true });
    expect(both).not.toCallNoTool();
    expect(run()).toCallNoTool();
  });

  it('throws where nothing can be scored, also with not', () => {
    const cut = { ...run(), finish_reason: 'length' };
    expect(() => expect(cut).toCallTool('book')).toThrow("can't be scored");
    expect(() => expect(cut).not.toCallTool('book')).toThrow("can't be scored");
    expect(() => expect({ calls: [] }).not.toCallTool('book')).toThrow('tools');
    expect(() => expect(null).toCallTool('book')).toThrow('A run needs tools');
  });

  it('decides as `touchstone score` does', async () => {
    const scorer = openScorer();
    try {
      for (const args of [{ day: 'monday' }, { day: 'x' }, {}, { day: 'monday', kg: '2' }, 'day'])
        for (const expected of [undefined, { day: 'monday' }, { day: { $any: ['x', 'y'] } }]) {
          const exchange: RecordedExchange = {
            id: 1,
            ...run(book(args)),
            expected_calls: [{ name: 'book', ...(expected && { arguments: expected }) }],
          };
          const { passed } = await scorer.score(exchange);
          if (passed === true) expect(exchange).toCallTool('book', expected);
          else expect(exchange).not.toCallTool('book', expected);
        }
    } finally {
      await scorer.close();
    }
  });
});

describe('readCases', () => {
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());
  const write = (text: string): string => {
    const path = join(folder.path, 'own.suite.yaml');
    writeFileSync(path, text);
    return path;
  };
  const head = 'version: 1\nname: own\nservers: [desk]\n';

  it('gives the cases of a suite with what they take from it', () => {
    const cases = readCases(
      write(
        `${head}arguments_mode: exact\nsystem: Be kind.\ncases:\n  - id: a\n    name: A\n    query: q\n` +
          '    expected_calls: [{ server: desk, tool: book, parameters: { day: monday } }]\n' +
          '    allowed_calls: [{ server: desk, tool: track }]\n',
      ),
    );
    expect(cases).toEqual([
      {
        id: 'a',
        name: 'A',
        query: 'q',
        tags: [],
        servers: ['desk'],
        system: 'Be kind.',
        messages: [],
        expectation: {
          expected_calls: [{ server: 'desk', name: 'book', arguments: { day: 'monday' } }],
          allowed_calls: [{ server: 'desk', name: 'track' }],
          order_dependent: false,
          arguments_mode: 'exact',
        },
      },
    ]);
    const [one] = cases;
    if (one === undefined) throw new Error('There is no case.');
    expect(run(book({ day: 'monday' }), { name: 'track' })).toPassCase(one);
    expect(run(book({ day: 'monday', kg: 1 }))).not.toPassCase(one);
    const elsewhere = {
      ...run(book({ day: 'monday' })),
      tools: [{ ...tools[0], server: 'other' }],
    };
    expect(elsewhere).not.toPassCase(one);
    expect(() => expect(run()).toPassCase({ ...one, servers: ['desk', 'other'] })).toThrow(
      'each tool of the run needs its `server`',
    );
  });

  it.each([
    [
      'a problem with its line',
      `${head}cases:\n  - id: a\n    nmae: A\n`,
      /own\.suite\.yaml:\d+: /,
    ],
    ['a suite without cases', `${head}cases: []\n`, /no test cases/],
  ])('refuses %s', (_what, text, message) => {
    expect(() => readCases(write(text))).toThrow(message);
  });

  it.skipIf(process.platform === 'win32')('refuses at once what may never end', () => {
    const pipe = join(folder.path, 'pipe');
    spawnSync('mkfifo', [pipe]);
    expect(() => readCases(pipe)).toThrow(`${pipe}: It is a named pipe.`);
    expect(() => readCases('/dev/zero')).toThrow('/dev/zero: It is a device.');
    expect(() => readCases(folder.path)).toThrow("It's a folder.");
  });
});

describe('the reporter', () => {
  const booked = run(book({ day: 'monday' }));

  it('finds the runs that matchers judged with their test', ({ task }) => {
    const kept = task.meta as { touchstone?: object[] };
    kept.touchstone = [];
    expect(booked).toCallTool('book');
    expect(booked).not.toCallNoTool();
    expect(() => expect(booked).toCallNoTool()).toThrow('book');
    expect(kept.touchstone).toEqual([
      { query: '', ...booked, expected_calls: [{ name: 'book' }] },
      { query: '', ...booked, expected_calls: [] },
    ]);
  });

  it('writes them for `touchstone score`, and counts those that were scored', async () => {
    await using folder = await temporaryFolder();
    const outputFile = join(folder.path, 'runs.jsonl');
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const cut = { ...booked, actual_calls: [], text: 'I', finish_reason: 'length' };
    const judged = [booked, { ...booked, actual_calls: [] }, cut].map((each) => ({
      ...each,
      expected_calls: [{ name: 'book' }],
    }));
    const test = { fullName: 'label', meta: () => ({ touchstone: judged }) };
    const silent = { fullName: 'other', meta: () => ({}) };
    new TouchstoneReporter({ outputFile }).onTestRunEnd([
      { relativeModuleId: 'a.test.ts', children: { allTests: () => [test, silent] } },
    ]);
    const said = written.mock.calls.join('');
    written.mockRestore();
    expect(said).toContain('Touchstone: 1 of 2 runs passed, 1 not scored.');
    const lines = readFileSync(outputFile, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      judged.map((each, at) => ({
        id: `a.test.ts > label${at === 0 ? '' : ` (${at + 1})`}`,
        ...each,
      })),
    );
  });
});
