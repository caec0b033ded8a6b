import { z } from 'zod';
import { actualText, expectedText } from '../../../src-shared/display/differenceTexts.ts';
import { outcomeTexts } from '../../../src-shared/display/outcomeTexts.ts';
import { failedOf, headlineOf, scoredOf } from '../../../src-shared/display/verdictTexts.ts';
import type { ListedResult } from '../../../src-shared/contract/results.ts';
import { failedTasks, scoredTasks } from '../../../src-shared/display/taskTexts.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { agentTool, readOnly, toolName, type AgentBackend } from './agentTool.ts';
import { evaluationNumber, findEvaluation, findSuite } from './findEvaluation.ts';

const maxProposed = 50;

const listedEvaluation = z.object({
  evaluation: z.number().int().describe('Number of the evaluation'),
  unit: z.enum(['case', 'task']).describe('Whether its runs are of cases or of tasks'),
  suite: z.string(),
  models: z.array(z.string()),
  status: z.string(),
  passed: z.number().int().describe('Runs that passed'),
  scored: z.number().int().describe('Runs that have a score'),
  started_at: z.string(),
});

const overview = ({ unit, evaluation: one }: ListedResult): z.input<typeof listedEvaluation> => {
  const [scored, failed] =
    unit === 'case'
      ? [scoredOf(one.outcomes), failedOf(one.outcomes)]
      : [scoredTasks(one.outcomes), failedTasks(one.outcomes)];
  return {
    evaluation: one.number,
    unit,
    suite: one.suiteName,
    models: one.models.map(modelLabel),
    status: one.state,
    passed: scored - failed,
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
      'Lists past evaluations of cases and of tasks in one sequence, newest first, with their ' +
      'models and how many runs passed. Returns the number that read_failures and ' +
      'compare_evaluations need.',
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
    call: async ({ suite, limit }) => {
      const { groups } = await reader.results.list({ suite: suite ?? null, limit: 500 });
      return {
        evaluations: groups
          .flatMap(({ lead, derived }) => [lead, ...derived])
          .filter(({ evaluation }) => suite === undefined || evaluation.suiteName === suite)
          .sort((a, b) => b.evaluation.number - a.evaluation.number)
          .slice(0, limit)
          .map(overview),
      };
    },
  }),
  agentTool({
    name: 'get_tool',
    title: 'Get tool',
    description:
      'Returns the current definition of one registered tool: its description, its input schema and ' +
      'every text that try_candidate can change. Reads the last listing of its server. To find ' +
      'faults in it, use check_tools.',
    inputSchema: z.object({ tool: toolName.describe('ID of the tool, such as todo:add_task') }),
    outputSchema: z.object({
      tool: z.string(),
      offered: z.boolean().describe('False if the last listing of its server lacks it'),
      listed_at: z.string().nullable(),
      title: z.string().nullable(),
      description: z.string(),
      input_schema: z.record(z.string(), z.unknown()),
      output_schema: z.record(z.string(), z.unknown()).nullable(),
      annotations: z.record(z.string(), z.unknown()).nullable(),
      tokens: z.number().int().nullable().describe('Size in cl100k_base tokens'),
      last_evaluation: z.number().int().nullable().describe('Latest one whose cases expect it'),
    }),
    annotations: readOnly,
    call: async ({ tool: id }) => {
      const { server, tool: name } = splitToolId(id);
      const { tool, offered, listedAt, tokens, result } = await reader.tools.get({
        server,
        tool: name,
      });
      return {
        tool: id,
        offered,
        listed_at: listedAt,
        title: tool.title,
        description: tool.description,
        input_schema: tool.inputSchema,
        output_schema: tool.outputSchema,
        annotations: tool.annotations,
        tokens,
        last_evaluation: result?.number ?? null,
      };
    },
  }),
  agentTool({
    name: 'propose_cases',
    title: 'Propose cases',
    description:
      'Drafts test cases for the tools of a suite, without a model: for each tool a request that ' +
      'needs it, one that a similar tool fits better, and one that needs none. Queries are empty ' +
      'and to be written. Stores nothing.',
    inputSchema: z.object({
      suite: z.string().min(1).max(200).describe('Suite name, as list_suites returns it'),
      tools: z
        .array(toolName)
        .min(1)
        .max(100)
        .optional()
        .describe('Only for these tool IDs, such as todo:add_task; omit it for all of the suite'),
    }),
    outputSchema: z.object({
      cases: z.array(
        z.object({
          kind: z.string(),
          name: z.string(),
          expected: z.array(z.array(z.string())).describe('Per call, the tools that are right'),
          basis: z.string().describe('What the query should be about'),
        }),
      ),
      left_out: z.number().int().describe('Proposals beyond the first 50'),
      notes: z.array(z.string()),
    }),
    annotations: readOnly,
    call: async ({ suite, tools }) => {
      const { id: suiteId } = await findSuite(reader, suite);
      const { cases, notes } = await reader.suites.proposeCases({
        suiteId,
        ...(tools && { tools }),
      });
      return {
        cases: cases.slice(0, maxProposed).map(({ kind, content, basis }) => ({
          kind,
          name: content.name,
          expected: content.expectedCalls.map((call) =>
            alternatives(call).map(({ server, tool }) => toolId(server, tool)),
          ),
          basis,
        })),
        left_out: Math.max(0, cases.length - maxProposed),
        notes,
      };
    },
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
      evaluation: evaluationNumber
        .optional()
        .describe('Evaluation number, as list_evaluations returns it; omit it for the latest'),
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
      const found = await findEvaluation(reader, evaluation);
      const [verdict, { groups, moreCauses }] = await Promise.all([
        reader.results.verdict({ id: found.id }),
        reader.results.failures({ id: found.id, hideHeldOut: true }),
      ]);
      return {
        ...overview({ unit: 'case', evaluation: found }),
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
              expected_call: expectedText(one),
              actual_call: actualText(one),
            })),
          })),
        })),
        more_causes: moreCauses,
      };
    },
  }),
];
