import { isJsonObject, type JsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';

export type ProposalKind = 'right tool' | 'near neighbour' | 'no tool';

/**
 * A query with its expected calls, written by rules. `calls` is empty if no tool should be called.
 */
export interface Proposal {
  kind: ProposalKind;
  name: string;
  query: string;
  calls: { server: string; tool: string; parameters: JsonObject }[];
  basis: string;
}

/** Base forms of verbs that often begin descriptions and don't follow the regular endings. */
const irregular: Record<string, string> = {
  returns: 'get',
  gets: 'get',
  does: 'do',
  has: 'have',
  is: 'be',
  searches: 'search',
  fetches: 'fetch',
  matches: 'match',
  copies: 'copy',
  applies: 'apply',
  queries: 'query',
  pushes: 'push',
  watches: 'watch',
  modifies: 'modify',
  verifies: 'verify',
};
const beginsWithVerb =
  /^(?:create|add|get|list|read|find|search|delete|remove|update|set|send|move|copy|open|close|run|start|stop|show|write|edit|fetch|make|mark|count|check)\b/i;

/**
 * Proposals for a list of tools, by rules alone (docs/rules.md §2): for each tool a request in the
 * words of its description with example values for its required parameters, one that distinguishes
 * it from the tool with the most similar words, and requests that need no tool.
 *
 * @param tools as listed; a tool without a description is requested by the words of its name
 * @returns for each tool one `right tool`, one `near neighbour` if there is another tool, and one
 * `no tool`
 */
export function proposeCases(tools: readonly Tool[]): Proposal[] {
  return tools.flatMap((tool) => {
    const wish = wishOf(tool);
    const { parameters, words } = exampleArguments(tool.inputSchema);
    const call = { server: tool.server, tool: tool.name, parameters };
    const label = labelOf(tool);
    const neighbour = nearestTo(tool, tools);
    const basis =
      tool.description === ''
        ? `the name of ${tool.server}:${tool.name}`
        : `the description of ${tool.server}:${tool.name}`;
    return [
      { kind: 'right tool', name: label, query: `Please ${wish}${words}.`, calls: [call], basis },
      ...(neighbour === null
        ? []
        : [
            {
              kind: 'near neighbour' as const,
              name: `${label}, not ${labelOf(neighbour)}`,
              query: `Please ${wish}${words}. I don't want to ${wishOf(neighbour)}.`,
              calls: [call],
              basis: `${basis}, beside ${neighbour.server}:${neighbour.name}`,
            },
          ]),
      {
        kind: 'no tool',
        name: `${label}: only asked about`,
        query:
          `Somebody told me that one can ${wish}. Is that a good habit? Don't do anything, ` +
          'just tell me what you think.',
        calls: [],
        basis,
      },
    ] satisfies Proposal[];
  });
}

const labelOf = (tool: Tool): string => (tool.title ?? wordsIn(tool.name)).slice(0, 80);

const wordsIn = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/** What a person would ask for, derived from the first sentence of the description. */
function wishOf(tool: Tool): string {
  const [sentence = ''] = tool.description.trim().split(/(?<=[.!?])\s|\n/, 1);
  const plain = sentence
    .replace(/[.!?:]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 160);
  if (plain === '') return wordsIn(tool.name);
  const [first = '', ...rest] = plain.split(' ');
  const verb = beginsWithVerb.test(first) ? first.toLowerCase() : baseForm(first.toLowerCase());
  return [verb, ...rest].join(' ');
}

function baseForm(word: string): string {
  const known = irregular[word];
  if (known !== undefined) return known;
  return /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

function exampleArguments(schema: JsonObject): { parameters: JsonObject; words: string } {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  const parameters: JsonObject = {};
  const words: string[] = [];
  for (const name of required) {
    const rules = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = exampleOf(name, isJsonObject(rules) ? rules : {});
    // A value that a sentence can't express is left to the schema.
    if (typeof value === 'object') continue;
    Object.defineProperty(parameters, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    words.push(`${wordsIn(name)} ${typeof value === 'string' ? `“${value}”` : String(value)}`);
  }
  return {
    parameters,
    words:
      words.length === 0
        ? ''
        : ' with ' +
          (words.length === 1
            ? (words[0] ?? '')
            : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`),
  };
}

function exampleOf(name: string, rules: JsonObject): JsonValue {
  const [choice] = Array.isArray(rules['enum']) ? rules['enum'] : [];
  const [example] = Array.isArray(rules['examples']) ? rules['examples'] : [];
  const given = rules['const'] ?? example ?? choice ?? rules['default'];
  if (given !== undefined && given !== null) return given;
  switch (Array.isArray(rules['type']) ? rules['type'][0] : rules['type']) {
    case 'integer':
    case 'number':
      return typeof rules['minimum'] === 'number' ? rules['minimum'] : 3;
    case 'boolean':
      return true;
    case 'array':
    case 'object':
      return {};
    default:
      return textFor(name, rules['format']);
  }
}

function textFor(name: string, format: JsonValue | undefined): string {
  if (format === 'date' || /date|day$/i.test(name)) return '2027-03-01';
  if (format === 'date-time') return '2027-03-01T09:00:00Z';
  if (format === 'email' || /mail/i.test(name)) return 'ada@example.org';
  if (format === 'uri' || /url|uri|link/i.test(name)) return 'https://example.org/page';
  if (/path|file|folder|dir/i.test(name)) return 'notes/plan.txt';
  if (/(?:^|_)id$/i.test(name)) return 'a1b2c3';
  if (/query|search|term/i.test(name)) return 'quarterly plan';
  if (/name|title|subject/i.test(name)) return 'Garden plan';
  return 'first draft';
}

function nearestTo(tool: Tool, tools: readonly Tool[]): Tool | null {
  const own = vocabulary(tool);
  let best: { tool: Tool; share: number } | null = null;
  for (const other of tools) {
    if (other === tool) continue;
    const words = vocabulary(other);
    const common = [...own].filter((word) => words.has(word)).length;
    const share = common / Math.max(1, own.size + words.size - common);
    if (best === null || share > best.share) best = { tool: other, share };
  }
  return best?.tool ?? null;
}

const vocabularies = new WeakMap<Tool, ReadonlySet<string>>();

function vocabulary(tool: Tool): ReadonlySet<string> {
  const known = vocabularies.get(tool);
  if (known !== undefined) return known;
  const words = new Set(
    `${wordsIn(tool.name)} ${tool.description.slice(0, 2000)}`
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );
  vocabularies.set(tool, words);
  return words;
}
