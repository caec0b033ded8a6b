import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSorts } from '../../../../../src-shared/domain/runSorts.ts';
import { runFilter } from '../../../../../src-shared/domain/evaluation.ts';
import { failureOutcomes, outcomes } from '../../../../../src-shared/domain/outcome.ts';
import { plainComparison } from '../../compare/compareAddress.ts';
import {
  numberSections,
  plainAddress,
  readAddress,
  resultTabs,
  runsQuestion,
  withAllCases,
  writeAddress,
} from './resultAddress.ts';

const subset = <Value>(values: readonly Value[]) =>
  fc
    .array(fc.boolean(), { minLength: values.length, maxLength: values.length })
    .map((chosen) => values.filter((_, at) => chosen[at]));
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const addresses = fc.record({
  tab: fc.constantFrom(...resultTabs),
  section: fc.option(fc.constantFrom(...numberSections)),
  model: fc.option(text),
  matrix: fc.option(text),
  compared: fc.option(
    fc
      .record({
        base: fc.option(
          fc.record({ id: fc.constant('r1'), modelSettingsId: fc.option(fc.constant('m1')) }),
        ),
      })
      .map((part) => ({ ...plainComparison, ...part })),
  ),
  mode: fc.constantFrom('counts' as const, 'share' as const),
  tools: fc.string({ maxLength: 20 }),
  outcomes: subset(outcomes),
  cause: fc.option(
    fc.record({ outcome: fc.constantFrom(...failureOutcomes), expected: text, called: text }),
  ),
  search: fc.string({ unit: 'grapheme', maxLength: 40 }),
  cell: fc.option(fc.record({ expected: text, selected: text })),
  sort: fc.constantFrom(...runSorts),
  descending: fc.boolean(),
  at: fc.option(text),
  back: fc.option(fc.constant('/tools/s/add/edit?candidate=c1')),
});

describe('address of a result', () => {
  it('keeps every filter across a reload', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(readAddress(new URLSearchParams(writeAddress(address).toString()))).toEqual(address);
      }),
    );
  });

  it('always gives a filter that the contract accepts', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(runFilter.safeParse(runsQuestion(address).filter).success).toBe(true);
      }),
    );
  });

  it.each([
    ['cases', 'runs', null],
    ['matrix', 'numbers', 'matrix'],
    ['tools', 'numbers', 'tools'],
    ['arguments', 'numbers', 'arguments'],
    ['confidence', 'numbers', 'confidence'],
    ['repetitions', 'numbers', 'repetitions'],
    ['cost', 'numbers', 'cost'],
    ['details', 'numbers', 'settings'],
    ['confusions', 'numbers', 'matrix'],
    ['parameters', 'numbers', 'arguments'],
    ['latency', 'numbers', 'cost'],
    ['snapshot', 'numbers', 'settings'],
    ['failures', 'failures', null],
  ])('reads the former tab %s as %s', (former, tab, section) => {
    expect(readAddress(new URLSearchParams({ tab: former }))).toEqual({
      ...plainAddress,
      tab,
      section,
    });
  });

  it('falls back to the plain page for a mistyped address', () => {
    const params = new URLSearchParams(
      'tab=<script>&outcome=XX.passed.&cause=maybe&sort=--bogus&expected=only&cells=7&model=',
    );
    expect(readAddress(params)).toEqual({
      ...plainAddress,
      outcomes: ['passed'],
      descending: true,
    });
  });

  it.each([
    ['/tools/s/add/edit', '/tools/s/add/edit'],
    ['/tools/s/a%2Fb/edit?candidate=c1&model=m', '/tools/s/a%2Fb/edit?candidate=c1&model=m'],
    ['/tools/s/add', null],
    ['//elsewhere/tools/s/add/edit', null],
    ['https://elsewhere/tools/s/add/edit', null],
    ['/tools/s/add/edit/more', null],
    ['', null],
  ])('leads back only to an edit: %j as %j', (given, back) => {
    expect(readAddress(new URLSearchParams({ return: given })).back).toBe(back);
  });

  it('is empty for the plain page', () => {
    expect(writeAddress(plainAddress).toString()).toBe('');
  });

  it('keeps a cell with special characters', () => {
    const cell = { expected: 'todo & co:add=task', selected: '(no tool)' };
    expect(
      readAddress(new URLSearchParams(writeAddress({ ...plainAddress, cell }).toString())).cell,
    ).toEqual(cell);
  });

  it('keeps model and mode when the filters are cleared', () => {
    const address = {
      ...plainAddress,
      model: 'm1',
      mode: 'share' as const,
      search: 'x',
      cell: { expected: 'a', selected: 'b' },
    };
    expect(withAllCases(address)).toEqual({ ...plainAddress, model: 'm1', mode: 'share' });
  });
});
