import type { JsonObject } from '../../src-shared/domain/json.ts';
import type { ActualCall } from '../../src-shared/domain/observation.ts';
import type { Score } from '../../src-shared/domain/score.ts';
import type { ExpectedCall } from '../../src-shared/domain/testCase.ts';
import { AjvJudge } from '../scoring/ajvJudge.ts';
import type { OfferedTool, ScoreInput } from '../scoring/scoreInput.ts';
import { scoreRun } from '../scoring/scoreRun.ts';

export const judge = new AjvJudge();

export function tool(
  name: string,
  inputSchema: JsonObject,
  description = `Does ${name}`,
): OfferedTool {
  return {
    toolId: `s:${name}`,
    server: 's',
    name,
    title: null,
    description,
    inputSchema,
    outputSchema: null,
    annotations: null,
  };
}

export const add = tool(
  'add_task',
  {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'What has to be done' },
      due: { type: 'string', format: 'date' },
      priority: { enum: ['low', 'high'], default: 'low' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['title'],
    additionalProperties: false,
  },
  'Adds a task to the list of the user',
);
export const list = tool(
  'list_tasks',
  { type: 'object', properties: { state: { type: 'string' } } },
  'Lists the tasks of the user',
);
export const remove = tool(
  'delete_task',
  { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  'Removes a task forever',
);
export const tools = [add, list, remove];

export function called(
  name: string,
  args: JsonObject | null,
  argumentsText: string | null = null,
): ActualCall {
  const known = tools.some((each) => each.name === name);
  return {
    id: '1',
    server: known ? 's' : null,
    tool: known ? name : null,
    name,
    arguments: args,
    argumentsText,
  };
}

export function expected(name: string, parameters?: JsonObject): ExpectedCall {
  return parameters === undefined
    ? { server: 's', tool: name }
    : { server: 's', tool: name, parameters };
}

export function run(
  expectedCalls: ExpectedCall[],
  calls: ActualCall[],
  more: Partial<ScoreInput> = {},
): Score {
  return scoreRun(
    {
      expectation: { expectedCalls, orderDependent: false, allowedCalls: [] },
      query: 'Please add buying milk to my list',
      calls,
      tools,
      confidence: null,
      highConfidence: 0.7,
      modelReasoning: null,
      ...more,
    },
    judge,
  );
}

export const verdictOf = (score: Score, name: string) =>
  score.parameters.find((row) => row.name === name);
