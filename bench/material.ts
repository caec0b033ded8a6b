import type { InlineSources } from '../src-shared/domain/evaluation.ts';
import type { JsonObject } from '../src-shared/domain/json.ts';

const verbs = ['list', 'create', 'update', 'delete', 'search', 'archive', 'share', 'export', 'rename', 'copy'];
const things = ['invoice', 'customer', 'calendar event', 'project', 'document'];

export type Material = Required<InlineSources>;

function toolOf(verb: string, thing: string) {
  const name = `${verb}_${thing.replaceAll(' ', '_')}`;
  const inputSchema: JsonObject = {
    type: 'object',
    properties: {
      [`${thing.replaceAll(' ', '_')}_id`]: { type: 'integer', minimum: 1, description: `Number of the ${thing}` },
      title: { type: 'string', maxLength: 255, description: `Title of the ${thing}` },
      status: { type: 'string', enum: ['open', 'closed', 'draft'] },
    },
    required: [`${thing.replaceAll(' ', '_')}_id`],
    additionalProperties: false,
  };
  const description = `${verb[0]?.toUpperCase() ?? ''}${verb.slice(1)} one ${thing} by its number, with an optional title and status.`;
  return { tool: { server: 'office', name, title: null, description, inputSchema, outputSchema: null, annotations: null }, raw: JSON.stringify({ name, description, inputSchema }) };
}

/** Fifty tools and as many cases as asked for, no two alike: every fifth expects no tool. */
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
          query: none ? `What is the weather like on day ${index}?` : `Please ${verb} ${thing.join(' ')} ${index + 1} titled "Paper ${index}"`,
          tags: [verb],
          expected_calls: none ? [] : [{ server: 'office', tool: tool.name, parameters: { [parameter]: index + 1, title: `Paper ${index}` } }],
        };
      }),
    },
  };
}
