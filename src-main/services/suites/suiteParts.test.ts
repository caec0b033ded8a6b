import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { SuiteFileCase } from '../../../src-shared/domain/suiteFile.ts';
import { sampled } from '../../testing/nightly.ts';
import { unpackPart } from './exchange/entryList.ts';
import { readCases } from './exchange/readCases.ts';
import { readSuiteParts } from './suiteParts.ts';

type Change = (cases: SuiteFileCase[], last: SuiteFileCase) => unknown;

function suiteOf(count: number, change: Change = () => undefined) {
  const cases = Array.from({ length: count }, (_, at): SuiteFileCase => ({
    ...{ id: `c${at}`, name: `Case ${at}`, query: `Find ${at} ${'word '.repeat(150)}` },
    expected_calls: [{ server: 'todo', tool: 'add_task', parameters: { title: `t${at}` } }],
  }));
  change(cases, cases.at(-1)!);
  return { version: 1, name: 'long', servers: ['todo'], cases };
}
/** With the number of cases from which on it is read in parts. */
const notations: [name: string, count: number, write: (value: unknown) => string][] = [
  ['JSON', 5_200, (value) => JSON.stringify(value)],
  ['YAML', 1_500, (value) => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })],
];
const schemaOf = () => null;
const read = (text: string, keepsPacked: boolean) =>
  readCases({ fileName: 'long', text, name: 'own' }, schemaOf, undefined, { keepsPacked });

describe.each(notations)('a long suite in %s', (name, count, write) => {
  it('is read in parts as it is read at once', () => {
    const text = write(suiteOf(count));
    const { packed, suite, ...rest } = read(text, true);
    const whole = read(text, false);
    expect(packed?.parts.length).toBeGreaterThan(1);
    const entries = packed?.parts.flatMap((part) => unpackPart(part, packed, rest.report));
    expect({ ...suite, cases: entries?.map(({ entry }) => entry) }).toEqual(whole.suite);
    expect(packed?.count).toBe(count);
    expect(rest).toEqual({ ...whole, suite: undefined });
  });

  const wrong: [what: string, change: Change][] = [
    ['an id twice', (_cases, last) => (last.id = 'c0')],
    ['a case without a query', (_cases, last) => (last.query = '')],
    ['a name that the format lacks', (_cases, last) => Object.assign(last, { other: 1 })],
    ['a matcher that never matches', ([first]) => (first!.expected_calls = [unmatched])],
    ['a case to fill in', (_cases, last) => (last.query = 'FILL IN: what?')],
  ];
  // Each in one notation: what is wrong with an entry is found in its value.
  const isInSample = (what: string) =>
    (what === 'an id twice' || what.startsWith('a matcher')) === (name === 'JSON');
  it.each(sampled(wrong, ([what]) => isInSample(what)))(
    'with %s has the problems of the whole text',
    (_what, change) => {
      const text = write(suiteOf(count, change));
      expect(readSuiteParts(text, schemaOf)).toBeNull();
      const { suite, problems } = read(text, true);
      expect([suite, problems]).toEqual([null, read(text, false).problems]);
      expect(problems.length).toBeGreaterThan(0);
    },
  );
});

const unmatched = { server: 'todo', tool: 'add_task', parameters: { title: { $regex: '(' } } };

it.each([
  ['short', JSON.stringify(suiteOf(1))],
  ['something else', JSON.stringify({ items: suiteOf(5_200).cases })],
  ['a list', JSON.stringify(suiteOf(5_200).cases)],
])('a text that is %s has no parts', (_what, text) => {
  expect(readSuiteParts(text, schemaOf)).toBeNull();
});
