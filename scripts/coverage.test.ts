import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseNumbers, coverage, rates, rightCalls, settings } from '../bench/coverageSettings.ts';
import { createRandom } from '../src-shared/metrics/random.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'rules.md'), 'utf8');
const [, written = ''] = /<!-- coverage -->\n([\s\S]*)\n<!-- end of coverage -->/.exec(page) ?? [];
const [ofRates = [], ofDifferences = [], ofProofs = []] = written.split('\n\n').map((table) =>
  table
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
);
const toNumber = (cell = ''): number => Number(cell.replaceAll('*', ''));

/** Each cell of the first table with what it was simulated from. */
const cells = settings.flatMap((setting, at) =>
  caseNumbers.flatMap((n, place) =>
    rates.map((rate, column) => {
      const row = ofRates[at * caseNumbers.length + place] ?? [];
      const text = row[column + 2] ?? '';
      const name = `${row[0] ?? ''}, n ${row[1] ?? ''}, rate ${rate}`;
      return { setting, n, rate, text, name, value: toNumber(text) };
    }),
  ),
);

describe('coverage tables of docs/rules.md', () => {
  it('have a row for each setting and number of cases', () => {
    expect(ofRates.map(([name, n]) => [name, n])).toEqual(
      settings.flatMap(({ name }) => caseNumbers.map((n) => [name, String(n)])),
    );
    expect(ofDifferences.map(([n]) => n)).toEqual(caseNumbers.map(String));
    expect(ofProofs).toHaveLength(1);
    for (const cell of cells)
      expect([cell.name, cell.text]).toEqual([
        cell.name,
        expect.stringMatching(/^(\*\*)?[01]\.\d{3}(\*\*)?$/),
      ]);
  });

  it('keep the promise of 0.92, but for marked cells with fewer than three cases either way', () => {
    const missed = cells.filter(({ value }) => value < 0.92);
    expect(cells.filter(({ text }) => text.startsWith('**'))).toEqual(missed);
    for (const { setting, n, rate, name, value } of missed) {
      const right = rightCalls(setting, rate);
      expect([name, n * Math.min(right, 1 - right) < 3]).toEqual([name, true]);
      expect(value).toBeGreaterThan(0.88);
    }
    const [, told, of, lowest] =
      /except (\d+) of (\d+) in bold, the lowest at (0\.\d{3})/.exec(page) ?? [];
    expect([Number(told), Number(of), Number(lowest)]).toEqual([
      missed.length,
      cells.length,
      Math.min(...missed.map(({ value }) => value)),
    ]);
  });

  it('are not wider than needed away from the ends', () => {
    for (const { rate, name, value } of cells)
      if (rate <= 0.9) expect([name, value <= 0.98]).toEqual([name, true]);
  });

  it('keep the promises for differences and proofs', () => {
    for (const [n, ...values] of ofDifferences)
      for (const value of values) expect([n, toNumber(value) >= 0.92]).toEqual([n, true]);
    for (const value of ofProofs[0] ?? []) expect(toNumber(value)).toBeLessThanOrEqual(0.05);
  });

  it('say what the intervals do today', () => {
    // 2,000 samples: four standard errors of 0.9 are 0.027.
    const random = createRandom(11);
    for (const { setting, n, rate, name, value } of cells.filter((_, at) => at % 7 === 0)) {
      const found = coverage(setting, n, rate, 2_000, random);
      expect([name, Math.abs(found - value) < 0.03]).toEqual([name, true]);
    }
  });
});
