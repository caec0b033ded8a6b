import { z } from 'zod';
import { failedOf, scoredOf } from '../../../src-shared/display/verdictTexts.ts';
import type { ListedResult } from '../../../src-shared/contract/results.ts';
import { failedTasks, scoredTasks } from '../../../src-shared/display/taskTexts.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../src-shared/domain/testCase.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { agentTool, readOnly, toolName, type AgentBackend } from './agentTool.ts';
import { findSuite, listEvaluations } from './findEvaluation.ts';

const maxProposed = 50;

export const listedEvaluation = z.object({
  evaluation: z.number().int().describe('Number of the evaluation'),
  unit: z.enum(['case', 'task']).describe('Whether its runs are of cases or of tasks'),
  suite: z.string(),
  models: z.array(z.string()),
  status: z.string(),
  passed: z.number().int().describe('Runs that passed'),
  scored: z.number().int().describe('Runs that have a score'),
  started_at: z.string(),
});

export const overview = ({
  unit,
  evaluation: one,
}: ListedResult): z.input<typeof listedEvaluation> => {
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
      const found = await listEvaluations(reader, { suite: suite ?? null });
      return { evaluations: found.slice(0, limit).map(overview) };
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
];
