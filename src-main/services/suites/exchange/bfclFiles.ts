import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import {
  isJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { maxToolDepth } from '../../../../src-shared/domain/tool.ts';
import { mapObject, nonEmptyText } from './values.ts';

/** A function of a question, as a tools file holds it. */
export interface CarriedTool {
  server: string;
  name: string;
  description: string;
  input_schema: JsonObject;
}

interface JoinedFiles {
  /** The questions with their answers, line by line as before. */
  text: string;
  tools: CarriedTool[];
  /** IDs of answers that belong to no question. */
  unused: string[];
}

/**
 * Joins the files that the leaderboard publishes: questions with their functions, and accepted
 * answers by ID. Each question offers functions of its own, and equal names mean different functions
 * in different questions; so if the functions are carried along, each question gets a server of its
 * own, named after its ID. Lines that
 * can't be read stay as they are, for the reader to report. Throws an error that names the line of
 * an answer that can't be read.
 */
export function joinBfclFiles(
  questions: string,
  answers: string | null,
  carriesTools: boolean,
): JoinedFiles {
  const accepted = answers === null ? new Map<string, JsonValue>() : readAnswers(answers);
  const used = new Set<string>();
  const tools: CarriedTool[] = [];
  const lines = questions.split(/\r\n|\n/).map((line) => {
    const question = objectOf(line);
    const id = nonEmptyText(question?.['id']);
    if (question === null || id === null) return line;
    const server = id.replaceAll(':', '_');
    const own = carriesTools ? functionsOf(question).flatMap((each) => toTool(server, each)) : [];
    tools.push(...own);
    used.add(id);
    const answer = accepted.get(id);
    return JSON.stringify({
      ...question,
      ...(answer !== undefined && { ground_truth: answer }),
      ...(own.length > 0 && { server }),
    });
  });
  return {
    text: lines.join('\n'),
    tools,
    unused: [...accepted.keys()].filter((id) => !used.has(id)),
  };
}

function readAnswers(text: string): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  for (const [at, line] of text.split(/\r\n|\n/).entries()) {
    if (line.trim() === '') continue;
    const where = `line ${at + 1}`;
    let value: unknown;
    try {
      value = parseJson(at === 0 ? line.replace(/^\uFEFF/, '') : line);
    } catch (error) {
      throw new Error(`${where}: It isn’t valid JSON (${errorText(error)}).`, { cause: error });
    }
    const answer = isJsonObject(value) && isJson(value, maxToolDepth) ? value : {};
    const id = nonEmptyText(answer['id']);
    const truth = answer['ground_truth'];
    if (id === null || truth === undefined)
      throw new Error(`${where}: It isn’t an answer: {"id", "ground_truth"}.`);
    if (found.has(id)) throw new Error(`${where}: ${id} has an answer already.`);
    found.set(id, truth);
  }
  return found;
}

/** Null for a line that the reader has to report. */
function objectOf(line: string): JsonObject | null {
  try {
    const value = parseJson(line.replace(/^\uFEFF/, ''));
    return isJsonObject(value) && isJson(value, maxToolDepth) ? value : null;
  } catch {
    return null;
  }
}

function functionsOf({ function: own, tools }: JsonObject): JsonObject[] {
  const found = own ?? tools ?? [];
  return (Array.isArray(found) ? found : [found]).filter(isJsonObject);
}

function toTool(server: string, source: JsonObject): CarriedTool[] {
  const name = nonEmptyText(source['name']);
  const parameters = source['parameters'] ?? source['inputSchema'] ?? {};
  if (name === null || !isJsonObject(parameters)) return [];
  return [
    {
      server,
      name,
      description: nonEmptyText(source['description']) ?? '',
      input_schema: { ...toSchema(parameters), type: 'object' },
    },
  ];
}

/**
 * Types of Python, Java and JavaScript as the leaderboard writes them, and what they are in JSON
 * Schema. `any` says nothing about a value, so it becomes no type.
 */
const jsonTypes: Readonly<Record<string, string | null>> = {
  dict: 'object',
  HashMap: 'object',
  Hashtable: 'object',
  float: 'number',
  double: 'number',
  byte: 'integer',
  short: 'integer',
  long: 'integer',
  Bigint: 'integer',
  bool: 'boolean',
  Boolean: 'boolean',
  char: 'string',
  String: 'string',
  list: 'array',
  tuple: 'array',
  Array: 'array',
  ArrayList: 'array',
  Queue: 'array',
  Stack: 'array',
  any: null,
  Any: null,
};

function toSchema(source: JsonObject): JsonObject {
  const { type, properties, items, ...rest } = source;
  const made: JsonObject = { ...rest };
  const known = typeof type === 'string' && Object.hasOwn(jsonTypes, type) ? jsonTypes[type] : type;
  if (known !== null && known !== undefined) made['type'] = known;
  if (isJsonObject(properties))
    made['properties'] = mapObject(properties, (each) =>
      isJsonObject(each) ? toSchema(each) : each,
    );
  if (isJsonObject(items)) made['items'] = toSchema(items);
  return made;
}
