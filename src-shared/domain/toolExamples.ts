import { echoHost, type ExecutorType } from './executors.ts';
import type { ToolDraft } from './workshop.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const textSchema = (name: string, description: string, example: string) =>
  pretty({
    type: 'object',
    properties: { [name]: { type: 'string', description, examples: [example] } },
    required: [name],
    additionalProperties: false,
  });

/** An example for each executor, which runs as it is: without a network, key or other program. */
export const toolExamples: Record<ExecutorType, ToolDraft> = {
  python: {
    name: '',
    displayName: '',
    description: '',
    tags: '',
    executorType: 'python',
    inputSchema: textSchema('text', 'The text to count.', 'to be or not to be'),
    outputSchema: pretty({
      type: 'object',
      properties: { words: { type: 'integer' } },
      required: ['words'],
    }),
    executorConfig: pretty({ timeout: 30 }),
    scriptContent:
      'import json\nimport sys\n\narguments = json.load(sys.stdin)\n\nresult = {"words": ' +
      'len(arguments["text"].split())}\n\njson.dump(result, sys.stdout)\n',
  },
  shell: {
    name: '',
    displayName: '',
    description: '',
    tags: '',
    executorType: 'shell',
    inputSchema: textSchema('text', 'The text to convert.', 'to be or not to be'),
    outputSchema: '',
    executorConfig: pretty({ args: ['{{text}}'], output: 'text', timeout: 30 }),
    scriptContent:
      '# Arguments are $1, $2, …, as the executor settings list them; all of them are on ' +
      'standard input as JSON, too.\nprintf %s "$1" | tr "[:lower:]" "[:upper:]"\n',
  },
  http: {
    name: '',
    displayName: '',
    description: '',
    tags: '',
    executorType: 'http',
    inputSchema: textSchema('id', 'The ID to fetch.', '42'),
    outputSchema: '',
    executorConfig: pretty({
      method: 'GET',
      url: `http://${echoHost}/items/{{id}}`,
      query: { full: 'true' },
      headers: { 'accept-language': 'en' },
      timeout: 30,
    }),
    scriptContent: '',
  },
  mcp: {
    name: '',
    displayName: '',
    description: '',
    tags: '',
    executorType: 'mcp',
    inputSchema: textSchema('title', 'What to do.', 'Buy milk'),
    outputSchema: '',
    executorConfig: pretty({
      server: 'todo',
      tool: 'add_task',
      arguments: { user_id: 'me', title: '{{title}}' },
      timeout: 30,
    }),
    scriptContent: '',
  },
};

/** The draft under names of its own where it has none yet: they don't matter for a run. */
export function runnableDraft(draft: ToolDraft): ToolDraft {
  const named = (text: string, otherwise: string): string =>
    text.trim() === '' ? otherwise : text;
  return {
    ...draft,
    name: named(draft.name, 'new_tool'),
    displayName: named(draft.displayName, 'New tool'),
    description: named(draft.description, 'A draft.'),
  };
}
