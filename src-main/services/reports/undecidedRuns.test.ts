import papaparse from 'papaparse';
import { describe, expect, it } from 'vitest';
import { formatsBySubject, type ReportFormat } from '../../../src-shared/domain/report.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { call, createEngine } from '../../testing/engine.ts';
import { exportAs } from './exportAs.fixture.ts';

/** Nested deeper than a schema can be read. */
let deep: JsonObject = {};
for (let level = 0; level < 150; level += 1) deep = { properties: { deeper: deep } };
const reason =
  "The input schema of s:deep can't decide these arguments. It is nested deeper than 256 levels at /properties/a.";
const queries = ['right', 'idle', 'other', 'plain'];

const openUndecided = () =>
  createEngine({
    servers: {
      s: [{ name: 'deep', inputSchema: { properties: { a: deep } } }, { name: 'plain' }],
    },
    cases: queries.map((query) => ({
      query,
      expected: [{ server: 's', tool: query === 'plain' ? 'plain' : 'deep' }],
    })),
    script: async ({ query }) => ({
      calls: query === 'idle' ? [] : [call('s', query === 'right' ? 'deep' : 'plain')],
    }),
  });

/** The texts are escaped in their own way by each format. */
const plainText = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&apos;', "'")
    .replaceAll(/\\(?=[/_.'])/gu, '');

/** What a format says of 1 passed and 3 undecided runs. */
const checks: Partial<Record<ReportFormat, (text: string) => void>> = {
  json: (text) => {
    const { counts, runs, metrics } = JSON.parse(text) as Record<string, object>;
    expect(counts).toMatchObject({ total: 4 });
    expect(metrics).toMatchObject({ pass_rate: { value: 1, n: 1 } });
    const open = { outcome: 'not_scored', passed: null, error: reason };
    expect(runs).toMatchObject([
      open,
      open,
      open,
      { outcome: 'passed', passed: true, error: null },
    ]);
  },
  csv: (text) => {
    const { data } = papaparse.parse<Record<string, string>>(text, {
      header: true,
      skipEmptyLines: true,
    });
    const cells = data.map(({ outcome, error }) => [outcome, error]);
    expect(cells).toEqual([
      ['not_scored', reason],
      ['not_scored', reason],
      ['not_scored', reason],
      ['passed', ''],
    ]);
  },
  junit: (text) => {
    expect(text).toMatch(/tests="4" failures="0" errors="3"/u);
    expect(plainText(text).split(reason).length - 1).toBeGreaterThanOrEqual(3);
  },
};

describe('runs that no schema can decide', () => {
  it.each(formatsBySubject.evaluation)(
    'are neither passed nor failed in %s, with the tool and the place in its schema',
    async (format) => {
      await using engine = await openUndecided();
      const id = await engine.start({ concurrency: 1 });
      await engine.drain(id);
      const text = await exportAs(engine, id, format);
      const check = checks[format];
      if (check !== undefined) check(text);
      else expect(plainText(text)).toContain(reason);
    },
  );
});
