import { describe, expect, test } from 'vitest';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import { run, tool } from '../../../testing/scoredRun.ts';
import { fromSuiteFile } from '../suiteFileCodec.ts';
import { exchangeFormats } from './formats.ts';
import { read } from './readBack.fixture.ts';

const book = tool('book', { type: 'object', additionalProperties: true });

/** Whether a call with these arguments passes the only case that was read. */
function passes(format: ForeignFormat, text: string, args: JsonObject): boolean | null {
  const { suite, problems } = read(format, text, { server: 's' });
  expect(problems).toEqual([]);
  if (suite === null) throw new Error('Nothing was read.');
  const [only] = fromSuiteFile(suite).cases;
  if (only === undefined) throw new Error('There is no case.');
  const call = { id: '1', server: 's', tool: 'book', name: 'book', arguments: args };
  return run([], [{ ...call, argumentsText: null }], { tools: [book], expectation: only }).passed;
}

describe('arguments of promptfoo', () => {
  // How `trajectory:tool-args-match` compares: src/assertions/trajectory.ts of promptfoo 0.121.
  const exact = { name: 'book', mode: 'exact' };
  const partial = { name: 'book', mode: 'partial' };
  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['partial accepts more arguments', { ...partial, args: { a: 1 } }, { a: 1, b: 2 }, true],
    [
      'partial is what is meant without a mode',
      { name: 'book', args: { a: 1 } },
      { a: 1, b: 2 },
      true,
    ],
    [
      'partial accepts more members inside',
      { ...partial, args: { a: { b: 1 } } },
      { a: { b: 1, c: 2 } },
      true,
    ],
    [
      'partial needs the members inside',
      { ...partial, args: { a: { b: 1 } } },
      { a: { c: 2 } },
      false,
    ],
    [
      'partial accepts more members in lists',
      { ...partial, args: { a: [{ b: 1 }] } },
      { a: [{ b: 1, c: 2 }] },
      true,
    ],
    ['partial needs lists of one length', { ...partial, args: { a: [1] } }, { a: [1, 2] }, false],
    [
      'partial compares texts letter by letter',
      { ...partial, args: { a: { b: 'X' } } },
      { a: { b: 'x' } },
      false,
    ],
    ['exact rejects more arguments', { ...exact, args: { a: 1 } }, { a: 1, b: 2 }, false],
    ['exact rejects fewer arguments', { ...exact, args: { a: 1, b: 2 } }, { a: 1 }, false],
    [
      'exact rejects more members inside',
      { ...exact, args: { a: { b: 1 } } },
      { a: { b: 1, c: 2 } },
      false,
    ],
    ['exact rejects arguments where none is listed', { ...exact, args: {} }, { a: 1 }, false],
    [
      'exact accepts an argument with its default',
      { ...exact, args: { a: 1 }, defaults: { u: 'C' } },
      { a: 1, u: 'C' },
      true,
    ],
    [
      'exact accepts it if it is left out',
      { ...exact, args: { a: 1 }, defaults: { u: 'C' } },
      { a: 1 },
      true,
    ],
    [
      'exact rejects it with another value',
      { ...exact, args: { a: 1 }, defaults: { u: 'C' } },
      { a: 1, u: 'F' },
      false,
    ],
    [
      'exact expects a listed argument other than its default',
      { ...exact, args: { u: 'F' }, defaults: { u: 'C' } },
      { u: 'F' },
      true,
    ],
    [
      'exact ignores what is ignored',
      { ...exact, args: { a: 1, t: 2 }, ignore: 't' },
      { a: 1, t: 3 },
      true,
    ],
    [
      'exact ignores what it doesn’t list',
      { ...exact, args: { a: 1 }, ignore: ['t'] },
      { a: 1, t: 3 },
      true,
    ],
    [
      'exact ignores listed arguments by a pattern',
      { ...exact, args: { a: 1, x_id: 2 }, ignore: '*_id' },
      { a: 1, x_id: 5 },
      true,
    ],
  ])('%s', (_title, value, args, passed) => {
    const test = {
      vars: { query: 'Book' },
      assert: [{ type: 'trajectory:tool-args-match', value }],
    };
    expect(passes('promptfoo', JSON.stringify({ tests: [test] }), args)).toBe(passed);
  });

  test.each<[string, JsonObject[], SuiteFileCase['arguments_mode'], RegExp | null]>([
    ['a written exact', [{ ...exact, args: { a: 1 } }], 'exact', null],
    ['a written partial', [{ ...partial, args: { a: 1 } }], 'at-least', null],
    ['none, which leaves it open', [{ name: 'book', args: { a: 1 } }], undefined, null],
    [
      'both in one test',
      [
        { ...exact, args: { a: 1 } },
        { ...partial, name: 'pay', args: { a: 1 } },
      ],
      'at-least',
      /for some calls only/,
    ],
    [
      'a pattern that exact can’t ignore',
      [{ ...exact, args: { a: 1 }, ignore: '*_id' }],
      'exact',
      /only the listed arguments are ignored/,
    ],
    [
      'a default that is expected',
      [{ ...exact, args: { u: 'C' }, defaults: { u: 'C' } }],
      'exact',
      /takes u for absent/,
    ],
  ])('are imported with %s', (_title, values, mode, note) => {
    const assert = values.map((value) => ({ type: 'trajectory:tool-args-match', value }));
    const { suite, report } = read(
      'promptfoo',
      JSON.stringify({ tests: [{ vars: { query: 'Book' }, assert }] }),
    );
    expect(suite?.cases[0]?.arguments_mode).toBe(mode);
    const notes = report.approximated
      .map(({ why }) => why)
      .filter((why) => !why.includes('accepts other calls'));
    if (note === null) expect(notes).toEqual([]);
    else expect(notes.join('\n')).toMatch(note);
  });

  test('of a mode that promptfoo doesn’t have leave the test out', () => {
    const value = { ...exact, mode: 'loose', args: {} };
    const text = JSON.stringify({
      tests: [{ vars: { query: 'x' }, assert: [{ type: 'trajectory:tool-args-match', value }] }],
    });
    expect(read('promptfoo', text).problems[0]?.message).toContain(
      '"loose" isn’t partial or exact',
    );
  });
});

describe('arguments of records', () => {
  const record = { query: 'Book', tool: 'book', arguments: { a: 1, b: 2 } };
  // `tool_args_match_mode` of agentevals (trajectory/utils.py): in `subset`, what is sent has to be in
  // the reference; in `superset`, the reference has to be in what is sent.
  test.each<[string, JsonObject, JsonObject, boolean]>([
    ['exact', { arguments_mode: 'exact' }, { a: 1, b: 2, c: 3 }, false],
    ['at-least', { arguments_mode: 'at-least' }, { a: 1, b: 2, c: 3 }, true],
    ['args_match: exact', { args_match: 'exact' }, { a: 1, b: 2, c: 3 }, false],
    ['args_match: subset', { args_match: 'subset' }, { a: 1, b: 2, c: 3 }, true],
    ['agentevals exact', { tool_args_match_mode: 'exact' }, { a: 1, b: 2, c: 3 }, false],
    ['agentevals superset', { tool_args_match_mode: 'superset' }, { a: 1, b: 2, c: 3 }, true],
    ['agentevals subset, fewer', { tool_args_match_mode: 'subset' }, { a: 1 }, true],
    ['agentevals subset, more', { tool_args_match_mode: 'subset' }, { a: 1, c: 3 }, false],
    ['agentevals ignore', { tool_args_match_mode: 'ignore' }, { c: 3 }, true],
    ['a choice of values', { arguments: { a: [1, 5] }, args_match: 'any_of' }, { a: 5 }, true],
  ])('are compared by %s', (_title, given, args, passed) => {
    expect(passes('jsonl', `${JSON.stringify({ ...record, ...given })}\n`, args)).toBe(passed);
  });

  test('apply to the arguments inside of calls too', () => {
    const calls = [{ name: 'book', arguments: { a: 1 } }];
    const text = `${JSON.stringify({ query: 'Book', expected_calls: calls, args_match: 'exact' })}\n`;
    expect(passes('jsonl', text, { a: 1, b: 2 })).toBe(false);
    expect(passes('jsonl', text, { a: 1 })).toBe(true);
  });
});

test('BFCL and exact matching of MCPJam reject additional arguments', () => {
  const bfcl = { id: 'x', question: 'Book', ground_truth: [{ book: { a: [1], u: ['C', ''] } }] };
  const text = `${JSON.stringify(bfcl)}\n`;
  expect(passes('bfcl', text, { a: 1 })).toBe(true);
  expect(passes('bfcl', text, { a: 1, b: 2 })).toBe(false);
  const check = (argumentMatching: string) => {
    const args = { args: { a: 1 }, argumentMatching };
    return JSON.stringify({
      schemaVersion: '1',
      suite: { name: 'x' },
      target: { servers: [{ name: 's' }] },
      cases: [
        {
          id: 'x',
          title: 'x',
          steps: [{ id: '1', kind: 'prompt', prompt: 'Book' }],
          checks: [{ type: 'toolCalledWith', toolName: 'book', args }],
        },
      ],
    });
  };
  expect(passes('mcpjam', check('exact'), { a: 1, b: 2 })).toBe(false);
  expect(passes('mcpjam', check('partial'), { a: 1, b: 2 })).toBe(true);
});

describe('an exported mode', () => {
  const calls = [{ server: 's', tool: 'book', parameters: { a: 1 } }];
  const each = (mode?: SuiteFileCase['arguments_mode']): SuiteFileCase => ({
    id: 'x',
    name: 'x',
    query: 'Book',
    expected_calls: calls,
    ...(mode && { arguments_mode: mode }),
  });
  const write = (format: ForeignFormat, ...cases: SuiteFileCase[]) =>
    exchangeFormats[format].write({ version: 1, name: 'x', servers: ['s'], cases });

  test.each<ForeignFormat>(['promptfoo', 'csv', 'jsonl', 'mcpjam', 'bfcl'])(
    'is read back from %s',
    (format) => {
      const { text, losses } = write(format, each('exact'));
      expect(losses.map(({ what }) => what).join('\n')).not.toMatch(/arguments/);
      const back = read(format, text, {
        server: 's',
        fileName: `x${exchangeFormats[format].extension}`,
      });
      expect(back.problems).toEqual([]);
      expect(back.suite?.cases[0]?.arguments_mode).toBe('exact');
    },
  );

  test.each<[JsonObject, RegExp]>([
    [{ a: '' }, /a may be left out/],
    [{ a: { $any: ['', 'x'] } }, /a may be left out/],
    [{ a: { $exact: 'X' } }, /a isn’t compared letter by letter/],
    [{ a: { b: { $exact: 'X' } } }, /a isn’t compared letter by letter/],
  ])('names what BFCL makes of %j', (parameters, loss) => {
    const only = { ...each('exact'), expected_calls: [{ server: 's', tool: 'book', parameters }] };
    const what = write('bfcl', only).losses.map((found) => found.what);
    expect(what.join('\n')).toMatch(loss);
    const fine = write('bfcl', {
      ...only,
      expected_calls: [{ server: 's', tool: 'book', parameters: { a: { $optional: 'x' } } }],
    });
    expect(fine.losses.filter(({ case: id }) => id !== null)).toEqual([]);
  });

  test('that a format can’t hold is a loss', () => {
    expect(write('bfcl', each('at-least')).losses).toContainEqual({
      case: null,
      what: 'The leaderboard rejects arguments that a case doesn’t list, as arguments mode exact does.',
    });
    const loose = {
      ...each('exact'),
      expected_calls: [{ ...calls[0], parameters: { a: { $gte: 1 } } }],
    };
    expect(write('mcpjam', loose as SuiteFileCase).losses.map(({ what }) => what)).toContain(
      'book: additional arguments are accepted, because MCPJam rejects them only where it compares all values.',
    );
  });
});
