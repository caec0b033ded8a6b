import { z } from 'zod';
import { actualText, expectedText } from '../../../src-shared/display/differenceTexts.ts';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import { headlineOf } from '../../../src-shared/display/verdictTexts.ts';
import type { RunDifference } from '../../../src-shared/domain/callDifference.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import type { NamedReport } from '../../services/checks/reportSides.ts';
import { readReport, reportName, storedReport } from './agentReports.ts';
import { agentTool, readOnly, type AgentBackend, type Client } from './agentTool.ts';
import type { ReadAllowed } from './allowedFolder.ts';
import { evaluationNumber, findResult } from './findEvaluation.ts';
import { listedEvaluation, overview } from './readingTools.ts';

/** More causes would fill the context of the agent that asked. */
const maxCauses = 20;

const example = z.object({
  case_id: z.string(),
  request: z.string(),
  expected: z.array(z.string()),
  called: z.array(z.string()),
  differences: z
    .array(z.object({ differs: z.string(), expected_call: z.string(), actual_call: z.string() }))
    .describe(
      'Each wrong call or failed check: what differs first, then what was expected and what there was',
    ),
});

const answer = z.object({
  ...listedEvaluation.shape,
  evaluation: z.number().int().nullable().describe('Number of the evaluation; null for a file'),
  status: z.string().nullable().describe('Null for a file'),
  started_at: z.string().nullable(),
  headline: z.string(),
  causes: z.array(
    z.object({
      problem: z.string(),
      expected: z.string(),
      called: z.string(),
      runs: z.number().int(),
      cases: z.number().int(),
      missing_words: z.array(z.string()),
      examples: z.array(example),
    }),
  ),
  more_causes: z.number().int(),
});
type Answer = z.input<typeof answer>;

const shownDifferences = (differences: readonly RunDifference[]) =>
  differences.map((one) => ({
    differs: one.text,
    expected_call: expectedText(one),
    actual_call: actualText(one),
  }));

/** Why cases or tasks failed, of the workspace or of a report that a pipeline wrote. */
export const readFailures = ({ reader }: AgentBackend, read: ReadAllowed) =>
  agentTool({
    name: 'read_failures',
    title: 'Read failures',
    description:
      'Explains why cases or tasks of one evaluation failed: groups by cause (expected tool, ' +
      'called tool), with example requests, the arguments or checks that differ, and the words ' +
      'that the expected description lacks. Returns only stored results, or those of a CI ' +
      'report. Held-out cases, on which a new description is proven later, are counted but ' +
      'never quoted.',
    inputSchema: z.object({
      evaluation: evaluationNumber
        .optional()
        .describe('Evaluation number, as list_evaluations returns it; omit it for the latest'),
      report: reportName.optional(),
      examples: z
        .number()
        .int()
        .min(1)
        .max(20)
        .default(5)
        .describe('Example requests to return for each cause, from 1 to 20'),
    }),
    outputSchema: answer,
    annotations: readOnly,
    call: async ({ evaluation, report, examples }) => {
      if (report !== undefined) {
        if (evaluation !== undefined) throw new Error('Give either evaluation or report.');
        return failuresOfReport(await readReport(read, report), examples);
      }
      const found = await findResult(reader, evaluation);
      return found.unit === 'case'
        ? failuresOfCases(reader, found.evaluation, examples)
        : {
            ...failuresOfReport(await storedReport(reader, found), examples),
            ...overview(found),
          };
    },
  });

async function failuresOfCases(
  reader: Client,
  evaluation: Evaluation,
  examples: number,
): Promise<Answer> {
  const { id } = evaluation;
  const [verdict, { groups, moreCauses }] = await Promise.all([
    reader.results.verdict({ id }),
    reader.results.failures({ id, hideHeldOut: true }),
  ]);
  return {
    ...overview({ unit: 'case', evaluation }),
    headline: headlineOf(verdict),
    causes: groups.map(({ outcome, expected, called, runs, cases, missingWords, rows }) => ({
      problem: outcomeTexts[outcome].label,
      expected,
      called,
      runs,
      cases,
      missing_words: missingWords,
      examples: rows.slice(0, examples).map((row) => ({
        case_id: row.caseKey,
        request: row.query,
        expected: row.expected,
        called: row.selected,
        differences: shownDifferences(row.differences),
      })),
    })),
    more_causes: moreCauses,
  };
}

function failuresOfReport({ report }: NamedReport, examples: number): Answer {
  const { unit, suite, models, runs } = report;
  const scored = runs.filter(({ passed }) => passed !== null);
  const passed = scored.filter((run) => run.passed === true).length;
  const failed = scored.flatMap((run) =>
    run.cause === null ? [] : [{ ...run, cause: run.cause }],
  );
  const causes = [...Map.groupBy(failed, ({ cause }) => JSON.stringify(cause)).values()].sort(
    (a, b) => b.length - a.length,
  );
  return {
    ...{ evaluation: null, unit, suite, models: models.map(({ label }) => label), status: null },
    ...{ passed, scored: scored.length, started_at: report.created_at },
    headline: `${formatCount(passed)} of ${formatCount(scored.length)} ${unit} runs passed`,
    causes: causes.slice(0, maxCauses).flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      return [
        {
          ...first.cause,
          runs: own.length,
          cases: new Set(own.map((run) => run.case_id)).size,
          missing_words: [],
          examples: own
            .filter((run) => halfOf(run.case_id) === 'search')
            .slice(0, examples)
            .map((run) => ({
              case_id: run.case_id,
              request: run.query,
              expected: run.expected,
              called: run.shown,
              differences: shownDifferences(run.differences),
            })),
        },
      ];
    }),
    more_causes: Math.max(0, causes.length - maxCauses),
  };
}
