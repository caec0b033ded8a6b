import { z } from 'zod';
import { runDifference } from '../../../src-shared/domain/callDifference.ts';
import type { ComparedCase, Comparison } from '../../../src-shared/domain/comparison.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { compare } from '../../services/results/compare.ts';
import { agentTool, readOnly, type AgentBackend, type Client } from './agentTool.ts';
import type { ReadAllowed } from './allowedFolder.ts';
import { readReport, reportName, sideOf, storedReport } from './agentReports.ts';
import { evaluationNumber, findResult } from './findEvaluation.ts';

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

/** Compares two evaluations of cases or of tasks, of the workspace or of a pipeline. */
export const compareTool = ({ reader }: AgentBackend, read: ReadAllowed) =>
  agentTool({
    name: 'compare_evaluations',
    title: 'Compare evaluations',
    description:
      'Tells whether a candidate evaluation is better or worse than its baseline, with the cases ' +
      'it fixed and broke. Each is an evaluation number or a JSON report file from CI. Lists no ' +
      'held-out case. Tools or models, not both, may differ.',
    inputSchema: z.object({
      baseline: evaluationNumber
        .optional()
        .describe('Number of the evaluation from before the change'),
      candidate: evaluationNumber
        .optional()
        .describe('Number of the evaluation to judge; omit it for the latest one'),
      baseline_report: reportName.optional(),
      candidate_report: reportName.optional(),
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
      const found = await compareGiven(
        reader,
        read,
        { number: baseline, report: before },
        { number: candidate, report: after },
      );
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

/** One side as a call names it: an evaluation of the workspace, or a report file. */
interface Given {
  number: number | undefined;
  report: string | undefined;
}

const both = ({ number, report }: Given): boolean => number !== undefined && report !== undefined;

async function compareGiven(
  reader: Client,
  read: ReadAllowed,
  baseline: Given,
  candidate: Given,
): Promise<Compared> {
  if (both(baseline) || both(candidate))
    throw new Error('Give each side once: as a number, or as a report file.');
  if (baseline.number === undefined && baseline.report === undefined)
    throw new Error(
      'Give baseline, the number of an evaluation from list_evaluations, or baseline_report.',
    );
  const reports = [baseline.report, candidate.report];
  if (reports.every((name) => name === undefined))
    return compareStored(reader, baseline.number, candidate.number);
  const [before, after] = await Promise.all(
    [baseline, candidate].map(async ({ number, report }) =>
      report === undefined
        ? storedReport(reader, await findResult(reader, number))
        : readReport(read, report),
    ),
  );
  if (before === undefined || after === undefined) throw new Error('A side is missing.');
  return {
    names: { baseline: before.name, candidate: after.name },
    comparison: compare(sideOf(before), [sideOf(after)], 'selection_and_parameters'),
  };
}

async function compareStored(
  reader: Client,
  baseline: number | undefined,
  candidate: number | undefined,
): Promise<Compared> {
  const before = await findResult(reader, baseline);
  const after = await findResult(reader, candidate, candidate === undefined ? before.unit : null);
  const [old, now] = [before.evaluation, after.evaluation];
  if (old.id === now.id)
    throw new Error(
      `Evaluation #${old.number}: It is both baseline and candidate. Name another baseline.`,
    );
  return {
    names: { baseline: `#${old.number}`, candidate: `#${now.number}` },
    comparison: await reader.results.compare({
      baseline: { id: old.id },
      candidates: [{ id: now.id }],
    }),
  };
}
