import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { caseNumbers, coverage, rates, settings } from '../bench/coverageSettings.ts';
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
const isOfTool = ({ name }: { name: string }): boolean => name.startsWith('tool');

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
        expect.stringMatching(/^([01]\.\d{3}|–)$/),
      ]);
  });

  it('keep the promise of 0.92 for all rates together and for a tool that few cases touch', () => {
    const shown = cells.filter(({ text }) => text !== '–');
    for (const { name, value } of shown) expect([name, value >= 0.92]).toEqual([name, true]);
    // Too few cases for an interval: only where a tool is touched by less than five of them.
    for (const cell of cells.filter(({ text }) => text === '–'))
      expect([cell.name, isOfTool(cell) && cell.n <= 20]).toEqual([cell.name, true]);
    const [, said, of] = /All ([\d]+) cells .* are at (0\.\d{2}) or more/.exec(page) ?? [];
    expect([Number(said), Number(of)]).toEqual([shown.length, 0.92]);
  });

  it('are not wider than needed away from the ends', () => {
    for (const { rate, n, name, value } of cells.filter((cell) => !isOfTool(cell))) {
      if (rate < 0.2 || rate > 0.9 || n < 20) continue;
      // With 20 cases, one case more or less changes coverage by more than the tolerance.
      expect([name, value <= (n === 20 ? 0.985 : 0.98)]).toEqual([name, true]);
    }
  });

  it('keep the promises for differences and proofs', () => {
    for (const [n, ...values] of ofDifferences)
      for (const value of values) expect([n, toNumber(value) >= 0.92]).toEqual([n, true]);
    for (const value of ofProofs[0] ?? []) expect(toNumber(value)).toBeLessThanOrEqual(0.05);
  });

  it('say what the intervals do today', () => {
    // A quarter of 8,000 samples has an interval at least: four standard errors of 0.9 are 0.027.
    const random = createRandom(11);
    for (const { setting, n, rate, name, value, text } of cells.filter((_, at) => at % 7 === 0)) {
      if (text === '–') continue;
      const found = coverage(setting, n, rate, 8_000, random);
      expect([name, found !== null && Math.abs(found - value) < 0.03]).toEqual([name, true]);
    }
  });
});
