import type { ExecutorType } from '../../../src-shared/domain/executors.ts';
import type { ToolContent, ToolDraft } from '../../../src-shared/domain/workshop.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** A saved tool in the form that the editor uses. */
export function draftOf(content: ToolContent): ToolDraft {
  return {
    name: content.name,
    displayName: content.displayName,
    description: content.description,
    tags: content.tags.join(', '),
    executorType: content.executorType,
    inputSchema: pretty(content.inputSchema),
    outputSchema:
      Object.keys(content.outputSchema).length === 0 ? '' : pretty(content.outputSchema),
    executorConfig: pretty(content.executorConfig),
    scriptContent: content.scriptContent ?? '',
  };
}

export function sameDraft(one: ToolDraft, other: ToolDraft): boolean {
  return (Object.keys(one) as (keyof ToolDraft)[]).every((key) => one[key] === other[key]);
}

export const executorWords: Record<ExecutorType, { label: string; description: string }> = {
  python: {
    label: 'Python',
    description:
      'A Python script: JSON arguments on standard input, JSON result on standard output.',
  },
  shell: {
    label: 'Shell',
    description: 'A shell script or a program.',
  },
  http: { label: 'HTTP', description: 'An HTTP request built from the arguments.' },
  mcp: {
    label: 'MCP',
    description: 'A tool of a registered server with its own name and schema.',
  },
};

const textSchema = (name: string, description: string) =>
  pretty({
    type: 'object',
    properties: { [name]: { type: 'string', description } },
    required: [name],
    additionalProperties: false,
  });

/** A working example for each executor. */
export const templates: Record<ExecutorType, ToolDraft> = {
  python: {
    name: '',
    displayName: '',
    description: '',
    tags: '',
    executorType: 'python',
    inputSchema: textSchema('text', 'The text to count.'),
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
    inputSchema: textSchema('text', 'The text to convert.'),
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
    inputSchema: textSchema('id', 'The ID to fetch.'),
    outputSchema: '',
    executorConfig: pretty({
      method: 'GET',
      url: 'http://localhost:8080/items/{{id}}',
      query: {},
      headers: { authorization: 'Bearer ${secret:example}' },
      output: 'json',
      redirects: 'same-origin',
      private: 'loopback',
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
    inputSchema: textSchema('title', 'What to do.'),
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
