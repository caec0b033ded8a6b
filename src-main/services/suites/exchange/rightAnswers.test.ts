import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
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

  it('leaves out a case whose answers are several calls each, and says why', () => {
    const { calls, report } = readOne({ acceptable: [[asked, other], [other]] });
    expect(calls).toBeUndefined();
    expect(report.skipped.map(({ why }) => why)).toEqual([
      'acceptable: It has several right answers, of which one has several calls. A case has one list of calls.',
    ]);
  });

  it('takes the answer of a call for one that has other tools as its alternatives', () => {
    const { calls } = readOne({ expected_calls: [{ ...asked, alternatives: ['find'] }] });
    expect(calls).toEqual([{ any_of: [track, { server: 's', tool: 'find' }] }]);
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
