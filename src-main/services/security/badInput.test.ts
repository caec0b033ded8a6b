import { describe, expect, it } from 'vitest';
import { checkBaseline } from './gate.ts';
import { readCorpus } from './readCorpus.ts';
import type {
  EntryFinding,
  ScannedTool,
  ScoreReport,
} from '../../../src-shared/domain/security.ts';
import { writeReport } from '../reports/formats/writeReport.ts';
import type { Report } from '../reports/report.ts';
import { scanReport } from '../reports/subjects/scanReport.ts';
import { scoreReport } from '../reports/subjects/scoreReport.ts';
import { readVerdicts } from './verdicts.ts';

const entry = {
  id: 'a',
  description: 'Adds.',
  label: 'benign',
  category: 'benign',
  provenance: { source: 'self', license: 'MIT' },
};
const file = (...entries: unknown[]) => JSON.stringify({ version: 'v', entries });
const hostile = '<img src=x onerror=alert(1)></script>\u202e\u001b[31m[a](javascript:1)';

describe('readCorpus', () => {
  it.each([
    [
      'no license',
      { ...entry, provenance: { source: 'self' } },
      /Entry a of c: It has no provenance\.license/,
    ],
    [
      'a restricted license',
      { ...entry, provenance: { source: 'x', license: 'CC-BY-NC-4.0' } },
      /Entry a of c: Its license CC-BY-NC-4\.0/,
    ],
    ['no category', { ...entry, category: undefined }, /Entry a of c: Its category is missing/],
    ['an unknown label', { ...entry, label: 'harmless' }, /Entry a of c: Its label "harmless"/],
    ['a label against its category', { ...entry, category: 'shadowing' }, /contradict/],
    ['no id', { ...entry, id: '' }, /Entry number 1 of c: It has no id/],
    ['a description that is not text', { ...entry, description: 1 }, /Entry a of c: description/],
  ])('rejects an entry with %s and names it', (_what, bad, message) => {
    expect(() => readCorpus(file(bad), 'c')).toThrow(message);
  });

  it('reads members that are null, license expressions and peers in the shape of a tool list', () => {
    const { entries } = readCorpus(
      file({
        ...entry,
        schema: null,
        previous: null,
        provenance: { source: 'x', license: 'MIT OR GPL-3.0-only' },
        peers: [
          {
            server: 'mail',
            tool: { name: 'send', description: 'Sends.', inputSchema: { type: 'object' } },
          },
          { server: 'mail', tool: 'list', schema: null },
          { name: 'find' },
        ],
      }),
      'c',
    );
    expect(entries[0]?.schema).toBeUndefined();
    expect(entries[0]?.peers).toEqual([
      { server: 'mail', name: 'send', description: 'Sends.', schema: { type: 'object' } },
      { server: 'mail', name: 'list', description: '' },
      { server: '', name: 'find', description: '' },
    ]);
  });

  it('takes texts of any license, or of none, into a private corpus', () => {
    const restricted = { ...entry, provenance: { source: 'x', license: 'CC-BY-NC-4.0' } };
    const { entries } = readCorpus(
      file(restricted, { ...entry, id: 'b', provenance: undefined }),
      'c',
      { private: true },
    );
    expect(entries.map(({ provenance }) => provenance.license)).toEqual([
      'CC-BY-NC-4.0',
      'private',
    ]);
  });

  it('rejects duplicate ids, an empty list and text that is not JSON', () => {
    expect(() => readCorpus(file(entry, entry), 'c')).toThrow(
      /Entry a of c: Another entry has this ID/,
    );
    expect(() => readCorpus('{"entries":[]}', 'c')).toThrow(/at least one entry/);
    expect(() => readCorpus('{', 'c')).toThrow(/valid JSON/);
  });
});

async function textOf(report: Report, format: 'html' | 'sarif'): Promise<string> {
  const parts: string[] = [];
  for await (const text of writeReport(report, format)) parts.push(text);
  return parts.join('');
}

describe('readVerdicts', () => {
  const corpus = readCorpus(
    file(entry, { ...entry, id: 'b', label: 'malicious', category: 'shadowing' }),
    'c',
  );

  it('rejects a verdict for an entry that is not in the corpus', () => {
    expect(() => readVerdicts('{"detector":"x","verdicts":{"zz":true}}', 'v', corpus)).toThrow(
      /verdict for zz in v/,
    );
    const sarif = {
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'x' } },
          results: [{ locations: [{ logicalLocations: [{ name: 'zz' }] }] }],
        },
      ],
    };
    expect(() => readVerdicts(JSON.stringify(sarif), 'v', corpus)).toThrow(/verdict for zz in v/);
    expect(() => readVerdicts('{"something":1}', 'v', corpus)).toThrow(/format is not supported/);
  });

  it('reads verdicts from JSON, from entries and from SARIF', async () => {
    const flagged = (text: string) =>
      readVerdicts(text, 'v', corpus).detectors.map(({ detector, verdicts }) => [
        detector,
        [...verdicts].filter(([, verdict]) => verdict.flagged).map(([id]) => id),
      ]);
    expect(flagged('{"detector":"x","verdicts":{"a":false,"b":true}}')).toEqual([['x', ['b']]]);
    expect(
      flagged(
        '{"detectors":["y"],"entries":[{"id":"b","label":"malicious","category":"shadowing","verdicts":[{"detector":"y","flagged":true,"detections":[]}]}]}',
      ),
    ).toEqual([['y', ['b']]]);
    const finding: EntryFinding = {
      id: 'b',
      detector: 'd',
      rule: 'r',
      category: 'shadowing',
      severity: 'high',
      place: '/description',
      span: [0, 1],
      text: 'A',
      why: 'Because.',
    };
    const none = { value: null, low: null, high: null, n: 0 };
    const combined = {
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
    };
    const score: ScoreReport = {
      corpusVersion: 'v',
      entries: 2,
      half: 'all',
      perDetector: [],
      combined,
      runsAveraged: 1,
      findings: [finding],
      notExamined: [],
      warnings: [],
    };
    const own = await textOf(
      scoreReport({ title: 'c', score, gates: null, file: null }, 'stamped'),
      'sarif',
    );
    expect(flagged(own)).toEqual([['Touchstone', ['b']]]);
  });
});

describe('checkBaseline', () => {
  const report = { corpusVersion: 'v', half: 'all' } as Parameters<typeof checkBaseline>[0];
  it('rejects a baseline for another corpus, another half or a detector that was not run', () => {
    expect(() =>
      checkBaseline(report, '{"security":{"corpus_version":"w","gates":{}}}', 'b'),
    ).toThrow(/version w/);
    expect(() => checkBaseline(report, '{"security":{"half":"held-out","gates":{}}}', 'b')).toThrow(
      /half held-out/,
    );
    expect(() =>
      checkBaseline(
        { ...report, perDetector: [] },
        '{"security":{"gates":{"nobody":{"fpr_ceiling":0.1}}}}',
        'b',
      ),
    ).toThrow(/nobody/);
  });
});

describe('the scan report', () => {
  const finding = {
    detector: 'd',
    rule: hostile,
    category: 'shadowing' as const,
    severity: 'high' as const,
    place: `/${hostile}`,
    span: [0, 9] as [number, number],
    text: hostile,
    why: hostile,
    fingerprint: 'f',
    server: hostile,
    tool: hostile,
    accepted: { reason: hostile, at: '' },
  };

  const tool: ScannedTool = {
    serverId: null,
    server: hostile,
    tool: hostile,
    definition: {},
    findings: [finding],
    change: null,
    firstSeenAt: null,
    problem: null,
  };
  const report = scanReport(
    { tools: [tool], servers: [{ name: hostile, problem: hostile }], failOn: null, file: null },
    hostile,
  );

  it('T09: escapes hostile text in HTML: elements, attributes, bidi characters, requests', async () => {
    const html = await textOf({ ...report, title: hostile }, 'html');
    // What is left without the one style and the one script that the page brings itself.
    expect(html.replace(/<(style|script)>.*?<\/\1>/gs, '')).not.toMatch(
      /<img|<\/script|<a |\u202e|\u001b/,
    );
    expect(html).toContain('[U+202E]');
    expect(html).toContain("default-src 'none'");
  });

  it('T09: writes valid SARIF with every finding when the text is hostile', async () => {
    const sarif = JSON.parse(await textOf(report, 'sarif')) as {
      version: string;
      runs: {
        results: { properties: { text: string }; suppressions: { justification: string }[] }[];
      }[];
    };
    expect(sarif.version).toBe('2.1.0');
    expect(sarif.runs[0]?.results[0]).toMatchObject({
      level: 'error',
      properties: { text: hostile, span: [0, 9] },
      suppressions: [{ kind: 'external', justification: hostile }],
    });
  });
});
