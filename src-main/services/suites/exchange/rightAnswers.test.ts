import { describe, expect, it, test } from 'vitest';
import { stringify } from 'yaml';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { withRole } from '../../../../src-shared/display/columnRoles.ts';
import { read } from './readBack.fixture.ts';

const query = 'Where is the parcel PX-9?';
const track = { server: 's', tool: 'track', parameters: { id: 'PX-9' } };
const find = { server: 's', tool: 'find', parameters: { text: 'PX-9' } };
const either = [{ any_of: [track, find] }];

const readOne = (record: JsonObject) => {
  const { suite, report } = read('jsonl', JSON.stringify([{ query, ...record }]), { server: 's' });
  return { suite, report, calls: suite?.cases[0]?.expected_calls };
};

describe('several right answers in records', () => {
  const asked = { name: 'track', arguments: { id: 'PX-9' } };
  const other = { name: 'find', arguments: { text: 'PX-9' } };
  test.each<[string, JsonObject, JsonValue]>([
    ['a list of acceptable calls', { acceptable: [asked, other] }, either],
    [
      'calls with a tool and args',
      {
        any_of: [
          { tool: 'track', args: { id: 'PX-9' } },
          { tool: 'find', args: { text: 'PX-9' } },
        ],
      },
      either,
    ],
    ['oneOf', { oneOf: [asked, other] }, either],
    ['an expected call and alternatives', { expected_call: asked, alternatives: [other] }, either],
    ['a choice in the list of calls', { expected_calls: [{ any_of: [asked, other] }] }, either],
    [
      'a call with its alternatives',
      { expected_calls: [{ ...asked, alternatives: [other] }] },
      either,
    ],
    ['answers of a set', { possible_answers: [asked, other] }, either],
    ['a list for each answer', { acceptable: [[asked], [other]] }, either],
    [
      'one tool with other arguments',
      { acceptable: [asked, { name: 'track', arguments: { id: 'px9', exact: true } }] },
      [{ any_of: [track, { ...track, parameters: { id: 'px9', exact: true } }] }],
    ],
    [
      'an answer with any arguments',
      { acceptable: [asked, { name: 'find' }] },
      [{ any_of: [track, { server: 's', tool: 'find' }] }],
    ],
  ])('keep their own arguments: %s', (_what, record, calls) => {
    const { suite, calls: found, report } = readOne(record);
    expect(report.skipped).toEqual([]);
    expect(found).toEqual(calls);
    // Of a list of right calls, what it doesn't name is wrong in each.
    expect(suite?.cases[0]?.arguments_mode).toBe('exact');
  });

  it('takes the arguments in a field for the tool of which no others are given', () => {
    const { calls } = readOne({
      expected_tool: 'track',
      expected_args: { id: 'PX-9' },
      acceptable_tools: [other],
    });
    expect(calls).toEqual([
      { any_of: [{ server: 's', tool: 'track' }, find], parameters: { id: 'PX-9' } },
    ]);
  });

  it('leaves out arguments for all where each answer has its own, and says so', () => {
    const { calls, report } = readOne({
      expected_calls: [{ any_of: [asked, other], arguments: { id: 1 } }],
    });
    expect(calls).toEqual(either);
    expect(report.approximated).toMatchObject([
      {
        what: 'arguments',
        why: 'Not imported: each of the alternatives has arguments of its own.',
      },
    ]);
  });

  it('leaves out a case whose only answer has arguments of its own and others in a field', () => {
    const { report } = readOne({ expected_calls: [{ any_of: [asked] }], expected_args: { id: 1 } });
    expect(report.skipped.map(({ why }) => why)).toEqual([
      'Its arguments are given twice, with the call and in a field.',
    ]);
  });

  it('takes the answer of a call for one that has other tools as its alternatives', () => {
    const { calls } = readOne({ expected_calls: [{ ...asked, alternatives: ['find'] }] });
    expect(calls).toEqual([{ any_of: [track, { server: 's', tool: 'find' }] }]);
  });

  it('takes lists of one tool each for all of them, says so, and offers any of them', () => {
    const record = { expected_tools: [['track'], ['find']] };
    const text = JSON.stringify([{ query, ...record }]);
    const { report, calls } = readOne(record);
    const [one, two] = [
      { server: 's', tool: 'track' },
      { server: 's', tool: 'find' },
    ];
    expect(calls).toEqual([one, two]);
    expect(report.approximated.map(({ why }) => why)).toEqual([
      'All of their tools are expected, in any order.',
    ]);
    const { columns } = read('jsonl', text, { server: 's' });
    expect(columns?.allOf).toBe('expected_tools');
    const map = withRole(columns?.mapped ?? {}, 'expected_tools', 'acceptable_tools');
    const any = read('jsonl', text, { server: 's', map });
    expect(any.suite?.cases[0]?.expected_calls).toEqual([{ any_of: [one, two] }]);
  });

  it('offers any of the lists that are read as steps with arguments', () => {
    const text = JSON.stringify([{ query, expected_calls: [[asked], [other]] }]);
    const { suite, columns } = read('jsonl', text, { server: 's' });
    expect(suite?.cases[0]).toMatchObject({ expected_calls: [track, find], order_dependent: true });
    expect(columns?.allOf).toBe('expected_calls');
    const map = withRole(columns?.mapped ?? {}, 'expected_calls', 'acceptable_tools');
    expect(read('jsonl', text, { server: 's', map }).suite?.cases[0]?.expected_calls).toEqual(
      either,
    );
  });

  it('leaves out a case whose arguments could be of each of several tools', () => {
    const { report } = readOne({
      acceptable_tools: ['track', 'find'],
      expected_args: { id: 'PX-9' },
    });
    expect(report.skipped.map(({ why }) => why)).toEqual([
      'The case has parameters, but not for which of its alternatives.',
    ]);
  });
});

describe('several right answers of several calls each', () => {
  const [a, b, c] = ['track', 'find', 'hold'].map((name) => ({ name, arguments: { id: name } }));
  const [first, second, third] = ['track', 'find', 'hold'].map((tool) => ({
    ...{ server: 's', tool, parameters: { id: tool } },
  }));
  const differ =
    'It has several right answers that differ in more than one call, and a case has one list of ' +
    'calls, each with its alternatives. Keep one answer.';

  test.each<[string, JsonObject, JsonObject]>([
    [
      'of which one call differs',
      { acceptable: [[a, b] as JsonValue, [a, c] as JsonValue] },
      { expected_calls: [first, { any_of: [second, third] }] as JsonValue },
    ],
    [
      'in lists with a name',
      { any_of: [{ calls: [a, b] }, { calls: [c, a] }] as JsonValue },
      { expected_calls: [first, { any_of: [second, third] }] as JsonValue },
    ],
    [
      'inside of the list of calls',
      {
        expected_calls: [
          {
            any_of: [
              [a, b],
              [a, c],
            ],
          },
        ] as JsonValue,
      },
      { expected_calls: [first, { any_of: [second, third] }] as JsonValue },
    ],
    [
      'next to the expected calls',
      { expected_calls: [a, b] as JsonValue, acceptable: [[a, c]] as JsonValue },
      { expected_calls: [first, { any_of: [second, third] }] as JsonValue },
    ],
    [
      'that are the same calls in another order',
      { acceptable: [[a, b] as JsonValue, [b, a] as JsonValue] },
      { expected_calls: [first, second] as JsonValue },
    ],
    [
      'in an order, of which one call differs',
      { acceptable_sequences: [[a, b] as JsonValue, [c, b] as JsonValue] },
      {
        expected_calls: [{ any_of: [first, third] }, second] as JsonValue,
        order_dependent: true,
      },
    ],
    [
      'of which one has one call more',
      { acceptable: [[a] as JsonValue, [a, b] as JsonValue] },
      { expected_calls: [first] as JsonValue, allowed_calls: [{ server: 's', tool: 'find' }] },
    ],
  ])('are one list of calls: %s', (_what, record, expected) => {
    const { suite, report } = readOne(record);
    expect(report.skipped).toEqual([]);
    const { expected_calls, order_dependent, allowed_calls } = suite?.cases[0] ?? {};
    expect({
      expected_calls,
      ...(order_dependent && { order_dependent }),
      ...(allowed_calls && { allowed_calls }),
    }).toEqual(expected);
  });

  const records = (field: string, answers: unknown) => [
    { query: 'Hold it', expected_calls: [c] },
    { query, [field]: answers },
  ];
  const notations: readonly (readonly [string, ForeignFormat, (list: unknown[]) => string])[] = [
    ['JSON', 'jsonl', (list) => JSON.stringify(list, null, 1)],
    ['JSON lines', 'jsonl', (list) => list.map((each) => JSON.stringify(each)).join('\n')],
    ['YAML', 'jsonl', (list) => stringify(list)],
    [
      'a table',
      'csv',
      (list) => {
        const names = [...new Set(list.flatMap((each) => Object.keys(each as object)))];
        const rows = list.map((each) =>
          names.map((name) => {
            const value = (each as JsonObject)[name];
            const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
            return text === '""' ? '' : `"${text.replaceAll('"', '""')}"`;
          }),
        );
        return [names, ...rows].map((row) => row.join(',')).join('\n');
      },
    ],
  ];
  test.each(
    notations.flatMap((notation) =>
      (
        [
          ['acceptable', [[a, b], [c]]],
          [
            'acceptable_sequences',
            [
              [a, b],
              [b, a],
            ],
          ],
          ['expected_calls', [{ any_of: [[a, b], [c]] }]],
          ['acceptable', [[a], [a, a]]],
        ] as const
      ).map(([field, answers]) => [...notation, field, answers] as const),
    ),
  )(
    'are left out with place and reason where no list can say them, and counted: %s, %s',
    (_notation, format, write, field, answers) => {
      const text = write(records(field, answers));
      const { suite, report } = read(format, text, { server: 's' });
      expect(suite?.cases.map(({ expected_calls }) => expected_calls)).toEqual([[third]]);
      expect(report.skipped).toMatchObject([
        { line: expect.any(Number), why: `${field}: ${differ}` },
      ]);
      expect(report.skipped[0]?.line).toBeGreaterThan(1);
    },
  );
});
