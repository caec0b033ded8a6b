import { z } from 'zod';
import { actualCallText, expectedCallText } from '../../../src-shared/display/callDifferences.ts';
import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import { failedOf, headlineOf, scoredOf } from '../../../src-shared/display/verdictTexts.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { agentTool, readOnly, type AgentBackend } from './agentTool.ts';

export const evaluationNumber = z.number().int().min(1);

const listedEvaluation = z.object({
  evaluation: z.number().int().describe('Number of the evaluation'),
  suite: z.string(),
  models: z.array(z.string()),
  status: z.string(),
  passed: z.number().int().describe('Runs that passed'),
  scored: z.number().int().describe('Runs that have a score'),
  started_at: z.string(),
});

const overview = (one: Evaluation): z.input<typeof listedEvaluation> => {
  const scored = scoredOf(one.outcomes);
  return {
    evaluation: one.number,
    suite: one.suiteName,
    models: one.models.map(modelLabel),
    status: one.state,
    passed: scored - failedOf(one.outcomes),
    scored,
    started_at: one.createdAt,
  };
};

/** The tools that read what the workspace holds. */
export const readingTools = ({ reader }: AgentBackend) => [
  agentTool({
    name: 'list_suites',
    title: 'List suites',
    description:
      'Lists the test suites in the Touchstone workspace, each with its servers. Use it to find ' +
      'the name of a suite. It does not return results; for those, use list_evaluations.',
    inputSchema: z.object({}),
    outputSchema: z.object({
      suites: z.array(
        z.object({
          suite: z.string(),
          cases: z.number().int(),
          servers: z.array(z.string()),
        }),
      ),
    }),
    annotations: readOnly,
    call: async () => ({
      suites: await Promise.all(
        (await reader.suites.list()).map(async ({ id, name, servers }) => ({
          suite: name,
          cases: (await reader.suites.cases({ suiteId: id })).length,
          servers,
        })),
      ),
    }),
  }),
  agentTool({
    name: 'list_evaluations',
    title: 'List evaluations',
    description:
      'Lists past evaluation runs, newest first, with their models and how many runs passed. ' +
      'Returns the evaluation number that read_failures needs.',
    inputSchema: z.object({
      suite: z.string().max(200).optional().describe('Only runs of this suite, by its exact name'),
      limit: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(20)
        .describe('How many entries to return at most, from 1 to 100'),
    }),
    outputSchema: z.object({ evaluations: z.array(listedEvaluation) }),
    annotations: readOnly,
    call: async ({ suite, limit }) => ({
      evaluations: (await reader.evaluations.list({ limit: 500 }))
        .filter(({ suiteName }) => suite === undefined || suiteName === suite)
        .slice(0, limit)
        .map(overview),
    }),
  }),
  agentTool({
    name: 'read_failures',
    title: 'Read failures',
    description:
      'Explains why cases of one evaluation failed: groups by cause (expected tool, called tool), ' +
      'with example requests, the arguments that differ, and the words that the expected description lacks. Returns only ' +
      'stored results. Held-out cases, on which a new description is proven later, are counted ' +
      'but never quoted.',
    inputSchema: z.object({
      evaluation: evaluationNumber.describe('Evaluation number, as list_evaluations returns it'),
      examples: z
        .number()
        .int()
        .min(1)
        .max(20)
        .default(5)
        .describe('Example requests to return for each cause, from 1 to 20'),
    }),
    outputSchema: z.object({
      ...listedEvaluation.shape,
      headline: z.string(),
      causes: z.array(
        z.object({
          problem: z.string(),
          expected: z.string(),
          called: z.string(),
          runs: z.number().int(),
          cases: z.number().int(),
          missing_words: z.array(z.string()),
          examples: z.array(
            z.object({
              case_id: z.string(),
              request: z.string(),
              expected: z.array(z.string()),
              called: z.array(z.string()),
              differences: z
                .array(
                  z.object({
                    differs: z.string(),
                    expected_call: z.string(),
                    actual_call: z.string(),
                  }),
                )
                .describe(
                  'Each wrong call: what differs first, then the call as expected and as made',
                ),
            }),
          ),
        }),
      ),
      more_causes: z.number().int(),
    }),
    annotations: readOnly,
    call: async ({ evaluation, examples }) => {
      const found = await reader.evaluations.get({ id: String(evaluation) });
      const [verdict, { groups, moreCauses }] = await Promise.all([
        reader.results.verdict({ id: found.id }),
        reader.results.failures({ id: found.id, hideHeldOut: true }),
      ]);
      return {
        ...overview(found),
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
            differences: row.differences.map((one) => ({
              differs: one.text,
              expected_call: expectedCallText(one),
              actual_call: actualCallText(one),
            })),
          })),
        })),
        more_causes: moreCauses,
      };
    },
  }),
];
