import type { InlineSources } from '../src-shared/domain/evaluation.ts';
import type { JsonObject } from '../src-shared/domain/json.ts';
import type { CaseFile } from '../src-shared/domain/suiteFile.ts';

const verbs = [
  'list',
  'create',
  'update',
  'delete',
  'search',
  'archive',
  'share',
  'export',
  'rename',
  'copy',
];
const things = ['invoice', 'customer', 'calendar event', 'project', 'document'];

export interface Material extends Required<InlineSources> {
  suite: CaseFile;
}

function toolOf(verb: string, thing: string) {
  const name = `${verb}_${thing.replaceAll(' ', '_')}`;
  const inputSchema: JsonObject = {
    type: 'object',
    properties: {
      [`${thing.replaceAll(' ', '_')}_id`]: {
        type: 'integer',
        minimum: 1,
        description: `Number of the ${thing}`,
      },
      title: { type: 'string', maxLength: 255, description: `Title of the ${thing}` },
      status: { type: 'string', enum: ['open', 'closed', 'draft'] },
    },
    required: [`${thing.replaceAll(' ', '_')}_id`],
    additionalProperties: false,
  };
  const description =
    `${verb[0]?.toUpperCase() ?? ''}${verb.slice(1)} one ${thing} by its number, with an ` +
    'optional title and status.';
  return {
    tool: {
      server: 'office',
      name,
      title: null,
      description,
      inputSchema,
      outputSchema: null,
      annotations: null,
    },
    raw: JSON.stringify({ name, description, inputSchema }),
  };
}

/** Fifty tools and the requested number of distinct cases; every fifth case expects no tool. */
export function makeMaterial(cases: number): Material {
  const tools = verbs.flatMap((verb) => things.map((thing) => toolOf(verb, thing)));
  return {
    tools,
    suite: {
      version: 1,
      name: `${cases} cases`,
      servers: ['office'],
      cases: Array.from({ length: cases }, (_, index) => {
        const { tool } = tools[index % tools.length] ?? toolOf('list', 'invoice');
        const [verb = '', ...thing] = tool.name.split('_');
        const parameter = `${thing.join('_')}_id`;
        const none = index % 5 === 4;
        return {
          id: `case-${index}`,
          name: `case ${index}`,
          query: none
            ? `What is the weather like on day ${index}?`
            : `Please ${verb} ${thing.join(' ')} ${index + 1} titled "Paper ${index}"`,
          tags: [verb],
          expected_calls: none
            ? []
            : [
                {
                  server: 'office',
                  tool: tool.name,
                  parameters: { [parameter]: index + 1, title: `Paper ${index}` },
                },
              ],
        };
      }),
    },
  };
}

const todoTools = [
  {
    tool: 'add_task',
    ask: (n: number) => `Add a task called "Paper ${n}"`,
    parameters: (n: number) => ({ title: `Paper ${n}` }),
  },
  {
    tool: 'list_tasks',
    ask: (n: number) => `Show me all my open tasks for week ${n}`,
    parameters: () => ({}),
  },
  {
    tool: 'complete_task',
    ask: (n: number) => `Mark task ${n} as done`,
    parameters: (n: number) => ({ task_id: n }),
  },
  {
    tool: 'delete_task',
    ask: (n: number) => `Delete task ${n}`,
    parameters: (n: number) => ({ task_id: n }),
  },
];

/** Cases for the bundled Todo server: every fifth expects no tool. */
export function makeTodoSuite(cases: number): CaseFile {
  return {
    version: 1,
    name: `${cases} cases for the Todo server`,
    servers: ['todo'],
    cases: Array.from({ length: cases }, (_, index) => {
      const kind = index % 5 === 4 ? undefined : todoTools[index % 5];
      return {
        id: `case-${index}`,
        name: `case ${index}`,
        query: kind ? kind.ask(index + 1) : `What is the weather like on day ${index}?`,
        tags: [kind?.tool ?? 'none'],
        expected_calls: kind
          ? [{ server: 'todo', tool: kind.tool, parameters: kind.parameters(index + 1) }]
          : [],
      };
    }),
  };
}
