import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src-shared/domain/json.ts';
import type { ParameterVerdict } from '../../../../../src-shared/domain/score.ts';
import { argumentRows, differentArguments } from './argumentRows.ts';
import type { CallPair } from '../../../../../src-shared/display/callPairs.ts';

function pair(
  kind: CallPair['kind'],
  expected: JsonObject | undefined,
  actual: JsonObject | null,
  verdicts: ParameterVerdict[] = [],
): Pick<CallPair, 'kind' | 'expected' | 'actual' | 'verdicts'> {
  return {
    kind,
    expected: { server: 's', tool: 'a', ...(expected ? { parameters: expected } : {}) },
    actual:
      actual === null
        ? null
        : { id: '1', server: 's', tool: 'b', name: 'b', arguments: actual, argumentsText: null },
    verdicts,
  };
}
const verdict = (
  name: string,
  of: ParameterVerdict['verdict'],
  sides: Pick<ParameterVerdict, 'expected' | 'actual'> = {},
): ParameterVerdict => ({
  toolId: 's:a',
  expectedIndex: 0,
  actualIndex: 0,
  name,
  verdict: of,
  reason: `reason of ${name}`,
  ...sides,
});
const brief = (rows: ReturnType<typeof argumentRows>) =>
  rows.map(
    ({ name, depth, kind, expected, actual }) =>
      `${'  '.repeat(depth)}${name} ${kind} ${expected ?? '·'} | ${actual ?? '·'}`,
  );

describe('argumentRows', () => {
  it('compares the arguments of different tools by name, differences first', () => {
    const rows = argumentRows(
      pair(
        'confused',
        { user_id: 'u', task_id: 3, done: true, description: { $contains: 'six' } },
        { title: 'note', user_id: 'u', done: false },
      ),
    );
    expect(brief(rows)).toEqual([
      'task_id missing 3 | ·',
      'done value true | false',
      'description missing {"$contains":"six"} | ·',
      'user_id same "u" | "u"',
      'title not_scored · | "note"',
    ]);
  });

  it('leaves a value undecided that the scorer did not compare with its matcher', () => {
    const rows = argumentRows(
      pair(
        'confused',
        { text: { $contains: 'six' }, note: { $optional: 'x' }, due: { $absent: true } },
        { text: 'seven' },
      ),
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['not_scored', 'not_scored', 'not_scored']);
  });

  it('marks no arguments where only one call exists or no values are expected', () => {
    const kinds = [
      pair('missing', { title: 'milk' }, null),
      pair('confused', undefined, { title: 'milk' }),
    ].map((one) => argumentRows(one).map(({ kind }) => kind));
    expect(kinds).toEqual([['not_scored'], ['not_scored']]);
  });

  it('follows the verdicts of the scorer, and adds arguments without one', () => {
    const rows = argumentRows(
      pair('matched', { day: 'Monday', title: 'a' }, { day: 'monday', title: 'b', extra: 1 }, [
        verdict('day', 'matched', { expected: 'Monday', actual: 'monday' }),
        verdict('title', 'wrong_value', { expected: 'a', actual: 'b' }),
        verdict('made', 'hallucinated', { actual: 2 }),
        verdict('gone', 'unexpected', { expected: { $absent: true }, actual: 3 }),
      ]),
    );
    expect(brief(rows)).toEqual([
      'title value "a" | "b"',
      'made invented · | 2',
      'gone added {"$absent":true} | 3',
      'day same "Monday" | "monday"',
      'extra not_scored · | 1',
    ]);
    expect(rows.map(({ reason }) => reason)[0]).toBe('reason of title');
  });

  it('marks only the parts that differ inside of an object', () => {
    const sides = {
      expected: { a: 1, b: [1, 2], c: { $gte: 1 } },
      actual: { a: 1, b: [1, 3], c: 0, d: null },
    };
    const rows = argumentRows(pair('matched', {}, {}, [verdict('x', 'wrong_value', sides)]));
    expect(brief(rows)).toEqual([
      'x value · | ·',
      '  a same 1 | 1',
      '  b same · | ·',
      '    [0] same 1 | 1',
      '    [1] value 2 | 3',
      '  c not_scored {"$gte":1} | 0',
      '  d added · | null',
    ]);
  });
});

describe('differentArguments', () => {
  it('names each differing argument once', () => {
    expect(
      differentArguments([
        verdict('a', 'matched'),
        verdict('b', 'missing'),
        verdict('b', 'wrong_value'),
        verdict('c', 'ignored'),
      ]),
    ).toEqual(['b']);
  });
});
