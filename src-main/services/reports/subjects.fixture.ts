import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../src-shared/domain/comparison.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import {
  retrievalMetrics,
  type MetricValues,
  type RetrievalMetric,
} from '../../../src-shared/domain/retrieval.ts';
import type { RetrieverResult } from '../../../src-shared/domain/retrievalRun.ts';
import type {
  DetectorReport,
  ScannedTool,
  ToolFinding,
} from '../../../src-shared/domain/security.ts';
import { wilson } from '../../../src-shared/metrics/intervals.ts';
import { lintTools } from '../similarity/lint.ts';
import type { Report } from './report.ts';
import { comparisonReport } from './subjects/comparisonReport.ts';
import { lintReport } from './subjects/lintReport.ts';
import { retrievalReport } from './subjects/retrievalReport.ts';
import { scanReport } from './subjects/scanReport.ts';
import { scoreReport } from './subjects/scoreReport.ts';
import { similarityReport } from './subjects/similarityReport.ts';
import { tokensReport } from './subjects/tokensReport.ts';

/**
 * One report of each subject; `untrusted` is asked for every text that a server, a model or a user
 * wrote.
 */
export function reportsOfAll(
  untrusted: (text: string) => string,
  generated: string,
): Map<string, Report> {
  return new Map([
    ['comparison', comparisonReport(comparison(untrusted), generated)],
    ['similarity', similarity(untrusted, generated)],
    [
      'retrieval',
      retrievalReport(
        {
          corpusVersion: untrusted('corpus-v1'),
          goldenVersion: untrusted('golden-v1'),
          queries: queries(untrusted),
          leftOut: [untrusted('q9')],
          results: [retriever(untrusted, 'default', true), retriever(untrusted, 'bm25', false)],
        },
        generated,
      ),
    ],
    [
      'scan',
      scanReport(
        {
          tools: scanned(untrusted),
          servers: [
            { name: untrusted('notes'), problem: null },
            { name: untrusted('away'), problem: untrusted('It did not answer.') },
          ],
          failOn: 'high',
          file: null,
        },
        generated,
      ),
    ],
    ['score', score(untrusted, generated)],
    ['tokens', tokens(untrusted, generated)],
    [
      'lint',
      lintReport(
        {
          report: lintTools([
            {
              server: untrusted('notes'),
              name: untrusted('do_it'),
              description: untrusted('Does it.'),
              inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
            },
          ]),
          failOn: 'high',
          file: 'tools.json',
        },
        generated,
      ),
    ],
  ]);
}

const share = (right: number, n: number): Estimate => ({
  value: n === 0 ? null : right / n,
  low: wilson(right, n)?.low ?? null,
  high: wilson(right, n)?.high ?? null,
  n,
});

function comparison(untrusted: (text: string) => string): Comparison {
  const side = (number: number) => ({
    evaluationId: `id-${number}`,
    number,
    suiteName: untrusted('todo'),
    modelSettingsId: 'm',
    model: untrusted('model-a'),
    snapshotId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    whatIfOf: null,
  });
  const found = (id: string, query: string): ComparedCase => ({
    testCaseId: id,
    caseKey: untrusted(id),
    name: untrusted(`case ${id}`),
    query: untrusted(query),
    baselineRunId: null,
    candidateRunId: null,
    before: [untrusted('s:add')],
    after: [untrusted('s:remove'), '(no tool)'],
  });
  const candidate: CandidateComparison = {
    ...side(15),
    sharedCases: 20,
    baselineRight: share(15, 20),
    candidateRight: share(17, 20),
    difference: { value: 0.1, low: -0.06, high: 0.26 },
    pValue: 0.6875,
    adjustedP: 0.6875,
    answer: 'cannot tell',
    needed: { cases: 310, points: 0.1 },
    stillRight: 14,
    regressed: [found('c1', 'add milk')],
    fixed: [found('c2', 'buy bread'), found('c3', 'sell it'), found('c4', 'drop it')],
    stillFailing: [found('c5', 'hm'), found('c6', 'so')],
    tied: [],
    notScored: [found('c7', 'away')],
    changed: [],
    added: [found('c8', 'new')],
    removed: [],
    tools: { added: [untrusted('s:extra')], removed: [], changed: [untrusted('s:add')] },
    modelDiffers: false,
    conditions: [untrusted('temperature 0 → 1')],
  };
  return {
    passedWhen: 'selection',
    baseline: side(14),
    candidates: [
      candidate,
      {
        ...candidate,
        ...side(16),
        difference: null,
        adjustedP: null,
        pValue: null,
        sharedCases: 0,
        baselineRight: share(0, 0),
        candidateRight: share(0, 0),
        needed: null,
        stillRight: 0,
        regressed: [],
        fixed: [],
        stillFailing: [],
      },
    ],
  };
}

function similarity(untrusted: (text: string) => string, generated: string): Report {
  const toolIds = ['s:add', 's:put', 's:drop'].map(untrusted);
  const pair = (a: number, b: number, overlap: number) => ({
    a,
    b,
    similarityScore: overlap,
    fullSimilarityScore: null,
    overlap,
    dimensions: { semantic: overlap, parameters: null, description: overlap },
    flagged: overlap >= 0.8,
  });
  const pairs = [pair(0, 1, 0.875), pair(0, 2, 0.25), pair(1, 2, 0.0625)];
  const recommendations = [
    {
      unrevised: [],
      toolPair: [toolIds[0] ?? '', toolIds[1] ?? ''] as [string, string],
      similarityScore: 0.875,
      issues: [
        {
          type: 'scope_clarity' as const,
          priority: 'high' as const,
          evidence: untrusted('Both add.'),
        },
      ],
      recommendations: [
        {
          issue: 'scope_clarity' as const,
          toolId: toolIds[0] ?? null,
          recommendation: untrusted('Say what it is not for.'),
          rationale: untrusted('Both add.'),
          priority: 'high' as const,
          revisedDescription: null,
          applyCommands: [
            { op: 'replace' as const, path: '/description', value: untrusted('Adds one.') },
          ],
        },
      ],
    },
  ];
  return similarityReport(
    {
      toolIds,
      method: 'description_overlap',
      semanticSource: 'tfidf',
      threshold: 0.8,
      weights: { semantic: 0.5, parameters: 0.3, description: 0.2 },
      full: false,
      pairs,
      total: 3,
      matrix: null,
      recommendations,
    },
    generated,
  );
}

const queries = (untrusted: (text: string) => string) =>
  ['q1', 'q2'].map((id) => ({
    id: untrusted(id),
    query: untrusted(`find ${id}`),
    labels: [{ tool_id: untrusted('s:add'), relevance: 2 as const }],
  }));

const each = <T>(value: (metric: RetrievalMetric) => T) =>
  Object.fromEntries(retrievalMetrics.map((metric) => [metric, value(metric)])) as Record<
    RetrievalMetric,
    T
  >;

function retriever(
  untrusted: (text: string) => string,
  name: string,
  first: boolean,
): RetrieverResult {
  const values: MetricValues = each((metric) => (metric === 'recall_at_1' ? 0 : 0.5));
  return {
    retriever: first ? name : untrusted(name),
    title: untrusted(name),
    metrics: each(() => ({ value: 0.5, low: 0.25, high: 0.75, n: 2 })),
    differences: first ? null : each(() => ({ value: -0.125, low: -0.25, high: 0, n: 2 })),
    perQuery: queries(untrusted).map(({ id }, at) => ({
      id,
      values,
      firstRelevant: at === 0 ? 2 : null,
      top: [untrusted('s:put'), untrusted('s:add')],
    })),
    baselineDelta: first ? { mrr: -0.1, map: 0.01 } : null,
    gate: first ? { passed: false, tolerance: { mrr: 0.02, map: 0.02 }, failed: ['mrr'] } : null,
    milliseconds: 1,
  };
}

function scanned(untrusted: (text: string) => string): ScannedTool[] {
  const finding = (severity: ToolFinding['severity'], accepted: string | null): ToolFinding => ({
    detector: 'hidden_instruction',
    rule: 'ignore-previous',
    category: 'tool_poisoning',
    severity,
    place: '/description',
    span: [4, 12],
    text: untrusted('ignore it'),
    why: untrusted('It tells the model to ignore.'),
    fingerprint: 'f1',
    server: untrusted('notes'),
    tool: untrusted('add'),
    accepted:
      accepted === null ? null : { reason: untrusted(accepted), at: '2026-01-01T00:00:00.000Z' },
  });
  const tool = {
    serverId: null,
    server: untrusted('notes'),
    definition: {},
    change: null,
    problem: null,
  };
  return [
    {
      ...tool,
      tool: untrusted('add'),
      findings: [finding('high', null), finding('high', null), finding('low', 'It is our own.')],
      change: {
        at: '2026-01-02T00:00:00.000Z',
        before: '{}',
        after: untrusted('{"description":"x"}'),
      },
    },
    { ...tool, tool: untrusted('sub'), findings: [] },
    { ...tool, tool: untrusted('slow'), findings: [], problem: untrusted('It took too long.') },
  ];
}

function score(untrusted: (text: string) => string, generated: string): Report {
  const detector = (name: string): DetectorReport => ({
    detector: name,
    tp: 8,
    fp: 1,
    tn: 9,
    fn: 2,
    precision: share(8, 9),
    recall: share(8, 10),
    f1: share(8, 10),
    fpr: share(1, 10),
    hardNegatives: { flagged: 1, fpr: share(1, 4) },
    categories: [{ category: 'tool_poisoning', flagged: 8, rate: share(8, 10) }],
    curve: [],
    spread: null,
  });
  const gate = { fprCeiling: 0.05, recallFloor: 0.7, fpr: 0.1, recall: 0.8 };
  return scoreReport(
    {
      title: untrusted('Detectors on corpus.json'),
      score: {
        corpusVersion: untrusted('1'),
        entries: 20,
        half: 'held-out',
        perDetector: [detector('hidden_instruction')],
        combined: detector('combined'),
        runsAveraged: 1,
        findings: [
          {
            id: untrusted('e1'),
            detector: 'hidden_instruction',
            rule: 'r',
            category: 'tool_poisoning',
            severity: 'critical',
            place: '/description',
            span: [0, 3],
            text: untrusted('abc'),
            why: untrusted('Because.'),
          },
        ],
        falseAlarms: [untrusted('e7')],
        missed: [untrusted('e8'), untrusted('e9')],
        notExamined: [{ id: untrusted('e10'), reason: untrusted('Too slow.') }],
      },
      gates: [
        { detector: 'combined', ...gate, passed: false },
        { detector: 'hidden_instruction', ...gate, fprCeiling: 0.2, passed: true },
        { detector: 'shadowing', ...gate, recall: null, passed: null },
      ],
      file: 'data/corpus.json',
    },
    generated,
  );
}

function tokens(untrusted: (text: string) => string, generated: string): Report {
  const tool = (name: string, description: number) => ({
    toolId: untrusted(`s:${name}`),
    server: untrusted('s'),
    name: untrusted(name),
    tokenCount: 30 + description,
    parts: { name: 2, description, inputSchema: 20, outputSchema: 0, structure: 8 },
  });
  return tokensReport(
    {
      encoding: 'cl100k_base',
      tools: [tool('add', 12), tool('remove', 40)],
      servers: [{ server: untrusted('s'), tools: 2, tokenCount: 112 }],
      total: 112,
      formats: [
        {
          format: 'openai',
          tokenCount: 120,
          basis: 'estimated',
          requests: null,
          note: 'The JSON of its tool array.',
        },
      ],
      unavailable: [{ server: untrusted('away'), reason: untrusted('It did not answer.') }],
    },
    100,
    generated,
  );
}
