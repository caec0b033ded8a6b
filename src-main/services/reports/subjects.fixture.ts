import type {
  CandidateComparison,
  ComparedCase,
  Comparison,
} from '../../../src-shared/domain/comparison.ts';
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
import { clusteredRatio } from '../../../src-shared/metrics/clusteredInterval.ts';
import { proportion } from '../../../src-shared/metrics/intervals.ts';
import { neededRepetitions } from '../../../src-shared/metrics/neededRepetitions.ts';
import { answerPairs, SIGNIFICANCE } from '../../../src-shared/metrics/pairing.ts';
import {
  meanDifference,
  meanWithInterval,
  scoreQuery,
} from '../../../src-shared/metrics/retrievalScore.ts';
import { lintTools } from '../../analysis/lint/lintTools.ts';
import type { Report } from './report.ts';
import { comparisonReport } from './subjects/comparisonReport.ts';
import { lintReport } from './subjects/lintReport.ts';
import { retrievalReport } from './subjects/retrievalReport.ts';
import { scanReport } from './subjects/scanReport.ts';
import { scoreReport } from './subjects/scoreReport.ts';
import { similarityReport } from './subjects/similarityReport.ts';
import { tokensReport } from './subjects/tokensReport.ts';
import { tasks } from './tasksSubject.fixture.ts';

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
    ['tasks', tasks(untrusted, generated, comparison(untrusted))],
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

type PassShares = CandidateComparison['passShares'];

/** The numbers that follow from the pass shares of the shared cases, as a comparison computes them. */
function numbersOf(passShares: PassShares) {
  const all = passShares.flatMap((pair) => new Array<PassShares[number]>(pair.cases).fill(pair));
  const rate = (share: (pair: PassShares[number]) => number) =>
    clusteredRatio(all.map((pair) => ({ numerator: share(pair), denominator: 1 })));
  const [answer] = answerPairs([all.map(({ baseline, candidate }) => candidate - baseline)]);
  if (!answer) throw new Error('One candidate has one answer.');
  const needed = answer.needed && {
    ...answer.needed,
    repetitions: neededRepetitions(passShares, SIGNIFICANCE),
  };
  return {
    passShares,
    sharedCases: all.length,
    baselineRight: rate(({ baseline }) => baseline),
    candidateRight: rate(({ candidate }) => candidate),
    ...{ ...answer, needed },
  };
}

function comparison(untrusted: (text: string) => string): Comparison {
  const side = (number: number) => ({
    evaluationId: `id-${number}`,
    number,
    suiteName: untrusted('todo'),
    unit: 'case' as const,
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
    differences:
      id === 'c1'
        ? [
            {
              kind: 'arguments',
              expected: { tools: [untrusted('s:add')], parameters: { title: 'milk' } },
              called: { tool: untrusted('s:add'), arguments: { title: untrusted('bread') } },
              parameters: [],
              text: untrusted('title: expected "milk", got "bread"'),
            },
          ]
        : [],
  });
  const candidate: CandidateComparison = {
    ...side(15),
    ...numbersOf([
      { baseline: 0, candidate: 0, baselineRuns: 1, candidateRuns: 1, cases: 2 },
      { baseline: 0, candidate: 1, baselineRuns: 1, candidateRuns: 1, cases: 3 },
      { baseline: 1, candidate: 0, baselineRuns: 1, candidateRuns: 1, cases: 1 },
      { baseline: 1, candidate: 1, baselineRuns: 1, candidateRuns: 1, cases: 14 },
    ]),
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
        ...numbersOf([]),
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
    score: overlap,
    dimensions: { semantic: overlap, parameters: null, description: overlap },
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
      measure: 'similarity',
      threshold: 0.8,
      weights: { semantic: 0.5, parameters: 0.3, description: 0.2 },
      full: false,
      pairs,
      total: 3,
      findings: [{ kind: 'deprecated_twin', tools: [1, 0] }],
      generatedAt: null,
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

/** `default` ranks the tool second and not at all, `bm25` not at all and last of three. */
function retriever(
  untrusted: (text: string) => string,
  name: string,
  first: boolean,
): RetrieverResult {
  const put = untrusted('s:put');
  const add = untrusted('s:add');
  const rankings = first ? [[put, add], [put]] : [[put], [put, untrusted('s:drop'), add]];
  const scored = queries(untrusted).map(
    (query, at) => scoreQuery(query, rankings[at] ?? []) ?? each(() => 0),
  );
  const baselineRankings = [[put, add], [put]];
  const reference = queries(untrusted).map(
    (query, at) => scoreQuery(query, baselineRankings[at] ?? []) ?? each(() => 0),
  );
  const valuesOf = (of: MetricValues[], metric: RetrievalMetric) => of.map((one) => one[metric]);
  const none = { value: 0, low: 0, high: 0, n: 0 };
  return {
    retriever: first ? name : untrusted(name),
    title: untrusted(name),
    metrics: each((metric) => meanWithInterval(valuesOf(scored, metric)) ?? none),
    differences: first
      ? null
      : each(
          (metric) => meanDifference(valuesOf(scored, metric), valuesOf(reference, metric)) ?? none,
        ),
    perQuery: queries(untrusted).map(({ id }, at) => {
      const at1 = (rankings[at] ?? []).indexOf(add);
      return {
        id,
        values: scored[at] ?? each(() => 0),
        firstRelevant: at1 < 0 ? null : at1 + 1,
        top: rankings[at] ?? [],
        ranked: rankings[at]?.length ?? 0,
      };
    }),
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
    firstSeenAt: null,
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
    precision: proportion(8, 9),
    recall: proportion(8, 10),
    f1: clusteredRatio(
      [
        { numerator: 2, denominator: 2, count: 8 },
        { numerator: 0, denominator: 1, whole: 2, count: 3 },
      ],
      { n: 11 },
    ),
    fpr: proportion(1, 10),
    hardNegatives: { flagged: 1, fpr: proportion(1, 4) },
    categories: [{ category: 'tool_poisoning', flagged: 8, rate: proportion(8, 10) }],
    curve: [],
    spread: null,
    falseAlarms: [untrusted('e7')],
    missed: [untrusted('e8'), untrusted('e9')],
  });
  const gate = {
    fprCeiling: 0.05,
    recallFloor: 0.7,
    fpr: 0.1,
    recall: 0.8,
    falseAlarms: [],
    missed: [],
  };
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
        notExamined: [{ id: untrusted('e10'), reason: untrusted('Too slow.') }],
        warnings: [],
      },
      gates: [
        { detector: 'combined', ...gate, passed: false, falseAlarms: [untrusted('e7')] },
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
      model: {
        provider: 'openai',
        model: untrusted('gpt-5'),
        format: 'OpenAI Responses',
        price: { inputUsd: 1.25, outputUsd: 10, source: 'list', date: '2025-12-01' },
      },
      tools: [tool('add', 12), tool('remove', 40)],
      servers: [{ server: untrusted('s'), tools: 2, tokenCount: 112 }],
      total: 112,
      formats: [
        {
          format: 'openai',
          wireApi: 'openai-responses',
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
