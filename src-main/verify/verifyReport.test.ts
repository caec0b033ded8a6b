import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kindsByModel } from '../../src-shared/domain/checkKinds.ts';
import { isNightly } from '../testing/nightly.ts';
import { unnoticedChanges } from './mutations.fixture.ts';
import { leafPaths, patternOf } from './recount.ts';
import { judgedKinds } from './judges.ts';
import { verifyReport, type Verification } from './verifyReport.ts';

const goldens = new URL('../services/reports/golden/', import.meta.url);
const files = readdirSync(goldens).filter((name) => name.endsWith('.json'));
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, goldens), 'utf8'));

function verified(document: unknown): Verification {
  const verification = verifyReport(document);
  if (!verification) throw new Error('A report of an unknown kind.');
  return verification;
}

/** Numbers and verdicts that people decide by: nothing may list one of them as not checked. */
const decisive = [
  ...['metrics', 'counts', 'per_tool', 'verdict.headline', 'verdict.outcomes', 'verdict.causes'],
  ...['check.result', 'unscored', 'runs[*].passed', 'runs[*].outcome', 'runs[*].classification'],
  ...['headline', 'candidates[*].answer', 'candidates[*].answer_text', 'candidates[*].difference'],
  ...['candidates[*].p_value', 'per_query[*].rr', 'intervals', 'gate.passed', 'pairs[*].overlap'],
  ...['pairs[*].flagged', 'total', 'budget.passed', 'tools[*].score', 'servers[*].score'],
  ...['combined.recall', 'per_detector[*].precision', 'tools[*].token_count'],
];

describe('verification of reports', () => {
  it('has a golden of every kind of report', () => {
    expect(new Set(files.map((name) => verified(read(name)).kind)).size).toBe(8);
  });

  it('knows the kinds of checks that a second model decides', () => {
    expect(judgedKinds).toEqual(kindsByModel);
  });

  it.each(files)('%s agrees with its own rows', (name) => {
    expect(verified(read(name)).differences).toEqual([]);
  });

  it.each(files)(
    '%s with any one value changed differs, or says that it is not checked',
    (name) => {
      // Of each list every member at night, and otherwise the first ones.
      expect(unnoticedChanges(read(name), isNightly ? undefined : 4)).toEqual([]);
    },
  );

  it.each(files)(
    '%s names what it does not check for a few reasons, and nothing that people decide by',
    (name) => {
      const listed = verified(read(name)).notChecked.map((text) => text.split(': '));
      expect(listed.filter(([, reason]) => reason === undefined)).toEqual([]);
      expect(new Set(listed.map(([, reason]) => reason)).size).toBeLessThanOrEqual(10);
      const reported = new Set([...leafPaths(read(name))].map(patternOf));
      const isPartOf = (pattern: string, whole: string): boolean =>
        pattern === whole ||
        (pattern.startsWith(whole) && /^[.[]/.test(pattern.slice(whole.length)));
      const hidden = decisive
        .filter((each) => [...reported].some((pattern) => isPartOf(pattern, each)))
        .filter((each) => listed.some(([pattern = '']) => isPartOf(each, pattern)));
      expect(hidden).toEqual([]);
    },
  );

  it.each([
    ['evaluation.json', 'verdict.headline', 'All 4 cases passed'],
    ['evaluation.json', 'verdict.lines', ['All 4 cases passed  100%']],
    ['evaluation.json', 'check.result', 'passed'],
    ['evaluation.json', 'check.not_decided', []],
    ['comparison.json', 'headline', '2 evaluations vs. #14: 2 better'],
    ['comparison.json', 'candidates[0].answer_text', 'Better: +10.0 points.'],
  ] as const)('%s with another %s differs', (name, path, value) => {
    const document = read(name) as object;
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
    const owner = keys.slice(0, -1).reduce((one, key) => Reflect.get(one, key) as object, document);
    Reflect.set(owner, keys.at(-1) ?? '', value);
    const { differences } = verified(document);
    expect(differences.map((one) => one.path).join()).toContain(path);
  });

  it('is null for other documents and versions', () => {
    expect(verifyReport({ format: 'touchstone-tokens', version: 2 })).toBeNull();
    expect(verifyReport([])).toBeNull();
  });
});
