import { z } from 'zod';
import { runDifference } from '../../../src-shared/domain/callDifference.ts';
import type { ComparedCase, Comparison } from '../../../src-shared/domain/comparison.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { readReportFile } from '../../services/checks/readReportFile.ts';
import { reportSide } from '../../services/checks/reportSides.ts';
import { compare } from '../../services/results/compare.ts';
import type { Side } from '../../services/results/side.ts';
import { agentTool, readOnly, type AgentBackend, type Client } from './agentTool.ts';
import type { ReadAllowed } from './allowedFolder.ts';
import { evaluationNumber, findEvaluation } from './findEvaluation.ts';

const maxListed = 50;

const shownCase = z.object({
  case_id: z.string(),
  request: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
  differences: z.array(runDifference),
});

/** Cases that are not held out: nobody may write a description for those that prove it. */
const shown = (cases: readonly ComparedCase[]): z.input<typeof shownCase>[] =>
  cases
    .filter(({ caseKey }) => halfOf(caseKey) === 'search')
    .slice(0, maxListed)
    .map(({ caseKey, query, before, after, differences }) => ({
      case_id: caseKey,
      request: query,
      before,
      after,
      differences,
    }));

async function sideOfFile(read: ReadAllowed, name: string): Promise<Side> {
  const { text } = await read(name);
  let report;
  try {
    report = readReportFile(JSON.parse(text));
  } catch (error) {
    throw new Error(`${name}: It isn't a report that can be compared. ${errorText(error)}`, {
      cause: error,
    });
  }
  if (report === null)
    throw new Error(
      `${name}: It isn't the JSON report of an evaluation. Write one with eval --report FILE.json.`,
    );
  const [model, ...more] = report.models;
  if (model === undefined || more.length > 0)
    throw new Error(
      `${name}: It has ${report.models.length} models. Give a report with one model.`,
    );
  return reportSide({ name, isFile: true, report }, model);
}

/** Compares two evaluations of cases, or two reports that a pipeline wrote. */
export const compareTool = ({ reader }: AgentBackend, read: ReadAllowed) =>
  agentTool({
    name: 'compare_evaluations',
    title: 'Compare evaluations',
    description:
      'Tells whether a candidate evaluation is better or worse than its baseline, with the cases ' +
      'it fixed and broke. Takes two evaluation numbers, or two JSON report files from CI. Lists no ' +
      'held-out case. Tools or models, not both, may differ.',
    inputSchema: z.object({
      baseline: evaluationNumber
        .optional()
        .describe('Number of the evaluation from before the change'),
      candidate: evaluationNumber
        .optional()
        .describe('Number of the evaluation to judge; omit it for the latest one'),
      baseline_report: z
        .string()
        .max(1000)
        .optional()
        .describe('Report file from before, relative to the allowed folder'),
      candidate_report: z
        .string()
        .max(1000)
        .optional()
        .describe('Report file to judge, relative to the allowed folder'),
    }),
    outputSchema: z.object({
      baseline: z.string(),
      candidate: z.string(),
      answer: z.string().describe('better, worse or cannot tell'),
      shared_cases: z.number().int(),
      baseline_pass_rate: z.number().nullable(),
      candidate_pass_rate: z.number().nullable(),
      difference: z
        .object({ value: z.number(), low: z.number(), high: z.number() })
        .nullable()
        .describe('Candidate minus baseline, with its 95% interval'),
      p_value: z.number().nullable(),
      fixed_count: z.number().int(),
      broken_count: z.number().int(),
      not_scored_count: z.number().int(),
      changed_cases: z.number().int(),
      fixed: z.array(shownCase),
      broken: z.array(shownCase),
      tools_added: z.array(z.string()),
      tools_removed: z.array(z.string()),
      tools_changed: z.array(z.string()),
      conditions: z.array(z.string()).describe('What else differs between both'),
    }),
    annotations: readOnly,
    call: async ({ baseline, candidate, baseline_report: before, candidate_report: after }) => {
      const found =
        before === undefined && after === undefined
          ? await compareStored(reader, baseline, candidate)
          : await compareFiles(read, before, after, baseline ?? candidate);
      const [one] = found.comparison.candidates;
      if (one === undefined) throw new Error('The comparison ended without a result. Try again.');
      return {
        ...found.names,
        answer: one.answer,
        shared_cases: one.sharedCases,
        baseline_pass_rate: one.baselineRight.value,
        candidate_pass_rate: one.candidateRight.value,
        difference: one.difference,
        p_value: one.pValue,
        fixed_count: one.fixed.length,
        broken_count: one.regressed.length,
        not_scored_count: one.notScored.length,
        changed_cases: one.changed.length,
        fixed: shown(one.fixed),
        broken: shown(one.regressed),
        tools_added: one.tools.added,
        tools_removed: one.tools.removed,
        tools_changed: one.tools.changed,
        conditions: one.conditions,
      };
    },
  });

interface Compared {
  names: { baseline: string; candidate: string };
  comparison: Comparison;
}

async function compareStored(
  reader: Client,
  baseline: number | undefined,
  candidate: number | undefined,
): Promise<Compared> {
  if (baseline === undefined)
    throw new Error('Give baseline, the number of an evaluation from list_evaluations.');
  const [before, after] = [
    await findEvaluation(reader, baseline),
    await findEvaluation(reader, candidate),
  ];
  if (before.id === after.id)
    throw new Error(
      `Evaluation #${before.number}: It is both baseline and candidate. Name another baseline.`,
    );
  return {
    names: { baseline: `#${before.number}`, candidate: `#${after.number}` },
    comparison: await reader.results.compare({
      baseline: { id: before.id },
      candidates: [{ id: after.id }],
    }),
  };
}

async function compareFiles(
  read: ReadAllowed,
  before: string | undefined,
  after: string | undefined,
  number: number | undefined,
): Promise<Compared> {
  if (before === undefined || after === undefined || number !== undefined)
    throw new Error('Give both baseline_report and candidate_report, and no numbers.');
  const sides = [await sideOfFile(read, before), await sideOfFile(read, after)] as const;
  return {
    names: { baseline: before, candidate: after },
    comparison: compare(sides[0], [sides[1]], 'selection_and_parameters'),
  };
}
