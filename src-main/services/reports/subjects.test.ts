import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import papaparse from 'papaparse';
import { describe, expect, it } from 'vitest';
import {
  formatsBySubject,
  reportFormats,
  reportFormatTable,
  type ReportFormat,
} from '../../../src-shared/domain/report.ts';
import { checkJunit } from './checkJunit.fixture.ts';
import { withoutFonts } from './formats/html/withoutFonts.fixture.ts';
import { reportSchemaTexts } from './documents/reportSchemas.ts';
import { maxSummaryBytes, maxShortMarkdown } from './formats/writeMarkdown.ts';
import { maxAnnotations } from './formats/writeAnnotations.ts';
import { writeReport } from './formats/writeReport.ts';
import { checkInertHtml, checkInertMarkdown, hostileTexts } from './hostileTexts.fixture.ts';
import { plainText } from '../../../src-shared/display/verdictTexts.ts';
import { readXml } from './readXml.fixture.ts';
import type { Report } from './report.ts';
import { sarifSchema } from './sarifSchema.fixture.ts';
import { reportsOfAll } from './subjects.fixture.ts';
import { lintReport } from './subjects/lintReport.ts';
import { scoreReport } from './subjects/scoreReport.ts';
import { tokensReport } from './subjects/tokensReport.ts';

const stamp = 'stamped';
const plainReports = reportsOfAll((text) => text, stamp);
/** The same again, because nothing that was computed before may decide about a report. */
const equalReports = reportsOfAll((text) => text, stamp);

async function textOf(report: Report, format: ReportFormat, short = false): Promise<string> {
  const parts: string[] = [];
  for await (const text of writeReport(report, format, { short })) parts.push(text);
  return parts.join('');
}

const each = [...plainReports].flatMap(([name, report]) =>
  formatsBySubject[report.subject].map((format) => ({ name, report, format })),
);
/** Reports in which every untrusted text is a hostile one, with its own text as a suffix. */
const hostile = hostileTexts.map((text) => reportsOfAll((own) => `${text} ${own}`, text));
const eachHostile = hostile.flatMap((reports, at) =>
  [...reports].map(([name, report]) => ({ name, report, text: hostileTexts[at] ?? '' })),
);

describe('reports of other subjects', () => {
  it.each(each)('$name as $format matches its golden file', async ({ name, report, format }) => {
    const text = await textOf(report, format);
    expect(await textOf(equalReports.get(name) ?? report, format)).toBe(text);
    await expect(withoutFonts(text)).toMatchFileSnapshot(
      `golden/${name}${reportFormatTable[format].extension}`,
    );
    expect(text.split(stamp), 'time and version in one place').toHaveLength(
      format === 'csv' || format === 'annotations' ? 1 : 2,
    );
  });

  it('a comparison within noise says so in every format', async () => {
    const report = plainReports.get('comparison');
    if (!report) throw new Error('There is no comparison.');
    for (const format of formatsBySubject.comparison)
      expect(await textOf(report, format), format).toMatch(/within noise/i);
  });

  it('open with their finding, and show no ISO time to people', async () => {
    for (const [name, report] of reportsOfAll(
      (own) => own,
      'Touchstone 1.2.3, 2026-11-22T14:05:09.123Z',
    ))
      for (const format of ['html', 'md', 'github'] as const) {
        const text = await textOf(report, format);
        expect(text, name).toContain('Touchstone 1.2.3, Nov 22, 2026, 14:05 UTC');
        expect(text, name).not.toMatch(/\d{4}-\d\d-\d\dT/);
        const finding = plainText(report.opening.headline);
        const body = text.replace(/^.*<body>/s, '').replaceAll(/<[^>]*>|[`*]/g, '');
        expect(body.indexOf(finding), `${name} as ${format}: ${finding}`).toBeGreaterThan(0);
        expect(body.indexOf(finding), name).toBeLessThan(400);
      }
  });

  it('exist in exactly the formats offered for their subject', async () => {
    for (const [name, report] of plainReports) {
      for (const format of reportFormats) {
        if (formatsBySubject[report.subject].includes(format))
          await expect(textOf(report, format), name).resolves.not.toBe('');
        else
          await expect(textOf(report, format), `${name} ${format}`).rejects.toThrow(
            'There is none.',
          );
      }
    }
  });

  it('JSON validates against the published schema, and changed documents do not', async () => {
    const ajv = new Ajv2020({ allowUnionTypes: true });
    const schemas = new Map(
      [...reportSchemaTexts()].map(([name, text]) => [name, JSON.parse(text) as object]),
    );
    for (const reports of [plainReports, ...hostile]) {
      for (const [name, report] of reports) {
        // What was compiled is found by the schema's identity.
        const validate = ajv.compile(schemas.get(`${report.subject}_report.schema.json`) ?? false);
        const document = JSON.parse(await textOf(report, 'json')) as Record<string, unknown>;
        expect(validate(document), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
        for (const bad of [
          { ...document, version: 2 },
          { ...document, more: 1 },
          { ...document, format: 'other' },
        ])
          expect(validate(bad), name).toBe(false);
      }
    }
  });

  it('T09: no format shows a control or direction character, and JSON keeps what it was', async () => {
    const unseen =
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;
    for (const { name, report, text } of eachHostile)
      for (const format of formatsBySubject[report.subject]) {
        const written = await textOf(report, format);
        expect(unseen.exec(written), `${name} as ${format}`).toBeNull();
        if (format === 'json')
          expect(JSON.stringify(JSON.parse(written))).toContain(JSON.stringify(text).slice(1, -1));
      }
  });

  it('SARIF is valid and gives each finding its own fingerprint', async () => {
    // One pattern of the schema is invalid with the `u` flag.
    const ajv = new Ajv({ strict: false, unicodeRegExp: false });
    addFormats(ajv);
    const validate = ajv.compile(sarifSchema);
    expect(validate({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).toBe(false);
    for (const reports of [plainReports, ...hostile]) {
      for (const name of ['scan', 'score', 'lint']) {
        const report = reports.get(name);
        if (!report) throw new Error(`There is no report ${name}.`);
        const document = JSON.parse(await textOf(report, 'sarif')) as {
          runs: {
            tool: {
              driver: { rules: { id: string; properties?: { 'security-severity'?: string } }[] };
            };
            results: {
              ruleId: string;
              ruleIndex: number;
              message: { text: string };
              partialFingerprints: Record<string, string>;
            }[];
          }[];
        };
        expect(validate(document), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
        const [run] = document.runs;
        const prints =
          run?.results.map(
            ({ partialFingerprints }) => partialFingerprints['touchstone/v1'] ?? '',
          ) ?? [];
        expect(prints.length).toBeGreaterThan(0);
        expect(new Set(prints).size).toBe(prints.length);
        for (const { ruleId, ruleIndex, message } of run?.results ?? []) {
          expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
          expect(message.text).not.toBe('');
        }
        // GitHub sorts findings by this, and refuses anything but a number from 0 to 10.
        for (const { properties } of run?.tool.driver.rules ?? [])
          expect(properties?.['security-severity'] ?? '0.0').toMatch(/^(10|\d)\.\d$/);
      }
    }
  });

  it('JUnit validates against its schema and is refused without a gate', async () => {
    const all = [plainReports, ...hostile]
      .flatMap((reports) => [...reports.values()])
      .filter(({ subject }) => formatsBySubject[subject].includes('junit'));
    await checkJunit(await Promise.all(all.map((report) => textOf(report, 'junit'))));
    await expect(
      checkJunit([
        '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites skipped="0"></testsuites>\n',
      ]),
    ).rejects.toThrow();
    const counts = async (name: string) =>
      readXml(await textOf(plainReports.get(name) as Report, 'junit')).attributes;
    expect(await counts('retrieval')).toMatchObject({ tests: '2', failures: '1', errors: '0' });
    expect(await counts('scan')).toMatchObject({ tests: '4', failures: '1', errors: '2' });
    expect(await counts('score')).toMatchObject({ tests: '4', failures: '1', errors: '2' });
    expect(await counts('tokens')).toMatchObject({ tests: '2', failures: '1', errors: '1' });
    const ungated = [
      tokensReport(
        {
          encoding: 'cl100k_base',
          model: null,
          tools: [],
          servers: [],
          total: 0,
          formats: [],
          unavailable: [],
        },
        null,
        stamp,
      ),
      lintReport(
        { report: { findings: [], tools: [], servers: [] }, failOn: null, file: null },
        stamp,
      ),
      scoreReport({ title: 's', score: emptyScore, gates: null, file: null }, stamp),
    ];
    for (const report of ungated)
      await expect(textOf(report, 'junit'), report.subject).rejects.toThrow('No gate was judged');
  });
});

const none = { value: null, low: null, high: null, n: 0 };
const emptyScore = {
  corpusVersion: '1',
  entries: 0,
  half: 'all' as const,
  perDetector: [],
  combined: {
    detector: 'combined',
    tp: 0,
    fp: 0,
    tn: 0,
    fn: 0,
    precision: none,
    recall: none,
    f1: none,
    fpr: none,
    hardNegatives: { flagged: 0, fpr: none },
    categories: [],
    curve: [],
    spread: null,
    falseAlarms: [],
    missed: [],
  },
  runsAveraged: 1,
  findings: [],
  notExamined: [],
  warnings: [],
};

describe('T09 T63: hostile text in every report', () => {
  it.each(eachHostile)('$name: $text is inert in HTML', async ({ report }) => {
    checkInertHtml(await textOf(report, 'html'));
  });

  it.each(eachHostile)(
    '$name: $text is inert in Markdown, summaries and annotations',
    async ({ report }) => {
      for (const text of [
        await textOf(report, 'md'),
        await textOf(report, 'md', true),
        await textOf(report, 'github'),
      ])
        checkInertMarkdown(text);
      const commands = (await textOf(report, 'annotations'))
        .split('\n')
        .filter((line) => line !== '');
      expect(commands.length).toBeLessThanOrEqual(maxAnnotations);
      for (const line of commands)
        expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r\n]*::[^\r\n]*$/);
    },
  );

  it.each(eachHostile)(
    '$name: $text never starts a formula or breaks a row in CSV',
    async ({ report }) => {
      const { data, errors } = papaparse.parse<string[]>(await textOf(report, 'csv'), {
        newline: '\r\n',
        skipEmptyLines: true,
      });
      expect(errors).toEqual([]);
      expect(new Set(data.map((row) => row.length)).size).toBe(1);
      for (const cell of data.slice(1).flat()) expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d)/);
    },
  );
});

it('short reports, summaries and annotations fit their limits and count omitted rows', async () => {
  const findings = Array.from({ length: 40_000 }, (_, at) => ({
    toolId: `s:tool_${at} ünïcödé`,
    rule: 'r',
    severity: at === 39_999 ? ('high' as const) : ('low' as const),
    message: 'long '.repeat(20),
    fix: 'Shorten it.',
    span: null,
  }));
  const report = lintReport(
    { report: { findings, tools: [], servers: [] }, failOn: null, file: null },
    stamp,
  );
  const short = await textOf(report, 'md', true);
  expect(short.length).toBeLessThanOrEqual(maxShortMarkdown);
  expect(short.length).toBeGreaterThan(maxShortMarkdown * 0.9);
  const summary = await textOf(report, 'github');
  expect(Buffer.byteLength(summary)).toBeLessThan(900 * 1024);
  expect(Buffer.byteLength(summary)).toBeGreaterThan(maxSummaryBytes * 0.9);
  for (const text of [short, summary]) {
    const shown = text.match(/^\| (?:✗ high|low) /gm)?.length ?? 0;
    expect(text).toContain(`\n${findings.length - shown} rows omitted.\n`);
    expect(text.match(/^\| ✗ high /gm)).toHaveLength(1);
  }
  const annotations = (await textOf(report, 'annotations')).trim().split('\n');
  expect(annotations).toHaveLength(maxAnnotations);
  expect(annotations[0]).toMatch(/^::error /);
  expect(annotations.at(-1)).toContain('39991 more');
});
