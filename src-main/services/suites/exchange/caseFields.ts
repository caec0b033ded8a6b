import {
  mappedFields,
  type ColumnMap,
  type MappedField,
} from '../../../../src-shared/contract/suites.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ToolReference } from '../../../../src-shared/domain/testCase.ts';
import {
  shortName,
  type DraftCase,
  type FileCall,
  type SuiteDraft,
  type TextPosition,
} from './suiteDraft.ts';
import { mapObject, nonEmptyText, textsOf, toLiteral } from './values.ts';

/** Known column names, without case and punctuation. The first one that exists wins. */
const columnAliases: Record<MappedField, readonly string[]> = {
  id: ['id', 'key', 'caseid', 'testid'],
  name: ['name', 'title', 'description', 'testname', 'casename'],
  query: ['query', 'prompt', 'question', 'input', 'utterance', 'userquery', 'message', 'text'],
  tags: ['tags', 'tag', 'labels', 'category'],
  server: ['server', 'expectedserver', 'expectedmcpservername', 'mcpserver', 'servername'],
  tool: [
    'tool',
    'expectedtool',
    'expectedtoolname',
    'toolname',
    'function',
    'functionname',
    'target',
  ],
  parameters: [
    'parameters',
    'expectedparameters',
    'arguments',
    'expectedarguments',
    'args',
    'expectedargs',
    'params',
  ],
  servers: ['servers'],
  expected_calls: ['expectedcalls', 'expectedtools'],
  order_dependent: ['orderdependent'],
  allowed_calls: ['allowedcalls'],
  stub_results: ['stubresults'],
};

export type FieldColumns = Partial<Record<MappedField, string>>;

/**
 * Finds the column of each field: by the map if it names an existing column, or else by its name.
 */
export function guessColumns(names: readonly string[], map: ColumnMap): FieldColumns {
  const columns: FieldColumns = {};
  for (const field of mappedFields) {
    const mapped = map[field];
    const known = mapped !== undefined && names.includes(mapped) ? mapped : undefined;
    const guess =
      known ??
      columnAliases[field]
        .map((each) =>
          names.find(
            (name) =>
              name.toLowerCase().replace(/[^a-z0-9]/g, '') === each &&
              !Object.values(map).includes(name),
          ),
        )
        .find((name) => name !== undefined);
    if (guess !== undefined) columns[field] = guess;
  }
  return columns;
}

/** Like `guessColumns`, but returns a message if a required column is missing. */
export function findColumns(names: readonly string[], map: ColumnMap): FieldColumns | string {
  const columns = guessColumns(names, map);
  for (const field of mappedFields) {
    const mapped = map[field];
    if (mapped !== undefined && !names.includes(mapped))
      return (
        `The file has no column ${JSON.stringify(mapped)} for ${field}. Its columns: ` +
        `${quoteNames(names)}.`
      );
  }
  if (columns.query === undefined)
    return (
      `Which column has the query? Choose one of ${quoteNames(names)}. On the command line, use ` +
      '--map query=COLUMN.'
    );
  if (columns.tool === undefined && columns.expected_calls === undefined)
    return (
      `Which column has the expected tool? Choose one of ${quoteNames(names)}. On the command ` +
      'line, use --map tool=COLUMN.'
    );
  return columns;
}

const quoteNames = (names: readonly string[]) =>
  names
    .slice(0, 30)
    .map((name) => JSON.stringify(name))
    .join(', ');

/** A row or a line whose values can be read by field. */
export interface FieldSource {
  /** The value of a field; undefined if it is empty or missing. */
  value(field: MappedField): JsonValue | undefined;
  where(field: MappedField): TextPosition;
  label: string;
}

/**
 * Adds the case that a row or a line describes. An empty tool means that no tool should be called.
 */
export function addCase(draft: SuiteDraft, source: FieldSource, server: string | null): void {
  const query = readQuery(source.value('query'));
  if (query === null) return draft.skip(source.label, 'It has no query.');
  const before = draft.problems.length;
  const list = (field: 'expected_calls' | 'allowed_calls' | 'stub_results'): JsonValue[] => {
    const value = source.value(field);
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    draft.problem(source.where(field), `${field} must be a list.`);
    return [];
  };
  const id = source.value('id');
  const sourceId = typeof id === 'number' ? String(id) : nonEmptyText(id);
  const name = nonEmptyText(source.value('name')) ?? sourceId ?? shortName(query);
  // Their shape is checked later, with the whole suite.
  const calls = (
    source.value('expected_calls') === undefined
      ? readCalls(draft, source, server)
      : list('expected_calls').map((call) =>
          toFileCall(call, server ?? (() => draft.assumeServer())),
        )
  ) as FileCall[];
  const made: DraftCase = {
    sourceId,
    name,
    query,
    calls,
    tags: textsOf(source.value('tags')),
    servers: textsOf(source.value('servers')),
    orderDependent: readOrderDependent(draft, source),
    allowedCalls: list('allowed_calls') as NonNullable<DraftCase['allowedCalls']>,
    stubResults: list('stub_results') as NonNullable<DraftCase['stubResults']>,
    changes: [],
    where: source.where('query'),
  };
  if (draft.problems.length === before) draft.add(made);
}

/** A text, or the only user message of a list, as Inspect writes a conversation. */
function readQuery(value: JsonValue | undefined): string | null {
  if (!Array.isArray(value)) return nonEmptyText(value);
  const asked = value.filter(isJsonObject).filter(({ role }) => role === 'user');
  return asked.length === 1 ? nonEmptyText(asked[0]?.['content']) : null;
}

/** A call as it is, or one that DeepEval writes: a name with input parameters. */
function toFileCall(call: JsonValue, server: string | (() => string)): JsonValue {
  const name = isJsonObject(call) && call['tool'] === undefined ? nonEmptyText(call['name']) : null;
  if (!isJsonObject(call) || name === null) return call;
  const parameters = call['input_parameters'] ?? call['inputParameters'];
  return {
    server: nonEmptyText(call['server']) ?? (typeof server === 'string' ? server : server()),
    tool: name,
    ...(isJsonObject(parameters) && { parameters: mapObject(parameters, toLiteral) }),
  };
}

function readOrderDependent(draft: SuiteDraft, source: FieldSource): boolean {
  const value = source.value('order_dependent') ?? false;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true' || word === '1' || word === 'yes') return true;
  if (word !== false && word !== 'false' && word !== '0' && word !== 'no' && word !== '')
    draft.problem(source.where('order_dependent'), 'order_dependent must be true or false.');
  return false;
}

function readCalls(draft: SuiteDraft, source: FieldSource, server: string | null): FileCall[] {
  const tool = source.value('tool');
  const names = (Array.isArray(tool) ? tool : [tool ?? ''])
    .filter((each) => typeof each === 'string')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const parameters = source.value('parameters');
  if (parameters !== undefined && parameters !== null && !isJsonObject(parameters)) {
    draft.problem(
      source.where('parameters'),
      'Parameters must be a JSON object, such as {"title": "milk"}.',
    );
    return [];
  }
  if (names.length === 0) {
    if (isJsonObject(parameters) && Object.keys(parameters).length > 0)
      draft.problem(
        source.where('parameters'),
        'The case has parameters but no tool. Add the tool.',
      );
    return [];
  }
  if (names.length > 1 && isJsonObject(parameters)) {
    draft.problem(
      source.where('parameters'),
      'The case has parameters for several tools. Use expected_calls instead.',
    );
    return [];
  }
  const known = nonEmptyText(source.value('server')) ?? server;
  return names.map((name) => ({
    ...readReference(draft, name, known),
    ...(isJsonObject(parameters) && { parameters: parameters satisfies JsonObject }),
  }));
}

/** Accepts `server:tool` if nothing else names the server. */
function readReference(draft: SuiteDraft, name: string, server: string | null): ToolReference {
  if (server !== null) return { server, tool: name };
  const at = name.indexOf(':');
  return at > 0 && at < name.length - 1
    ? { server: name.slice(0, at), tool: name.slice(at + 1) }
    : { server: draft.assumeServer(), tool: name };
}
