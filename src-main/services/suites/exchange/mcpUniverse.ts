import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { isNumber } from '../../../../src-shared/domain/exactNumber.ts';
import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import type { ReadOptions } from './caseExchange.ts';
import { unreadChanges } from './fieldNames.ts';
import { shortName, type Change, type SuiteDraft } from './suiteDraft.ts';
import { isEmpty, nonEmptyText, textsOf } from './values.ts';

/*
 * Tasks of MCP-Universe (https://github.com/SalesforceAIResearch/MCP-Universe, `TaskConfig` and
 * `Evaluator`): a question, the form of the answer, and evaluators of it. All of them must pass.
 */

const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

const isUniverseTask = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) &&
  typeof value['question'] === 'string' &&
  Array.isArray(value['evaluators']) &&
  Array.isArray(value['mcp_servers']);

/** Adds the task of a file, or those of a list. False: it is no such file. */
export function addMcpUniverse(
  draft: SuiteDraft,
  value: JsonValue,
  { server, fileName }: Pick<ReadOptions, 'server' | 'fileName'>,
): boolean {
  const tasks = Array.isArray(value) ? value : [value];
  if (tasks.length === 0 || !tasks.every(isUniverseTask)) return false;
  const own = fileName.replace(/^.*[\\/]|\.[^.]*$/gu, '');
  for (const task of tasks)
    addTask(draft, task, { server, sourceId: tasks.length === 1 && own !== '' ? own : null });
  return true;
}

/** What a template leaves open; it is filled from variables of the person there. */
const template = /\{\{[^}]*\}\}/u;

function addTask(
  draft: SuiteDraft,
  task: JsonObject,
  { server, sourceId }: { server: string | null; sourceId: string | null },
): void {
  const where = { line: 1, column: 1 };
  const question = nonEmptyText(task['question']) ?? '';
  const name = shortName(question);
  if (template.test(question))
    return draft.skip(name, 'Its question needs a variable of an account.', where);
  const changes: Change[] = unreadChanges(task, readFields);
  const checks: TaskFileCheck[] = [];
  const open: string[] = [];
  for (const evaluator of objectsIn(task['evaluators'])) {
    const schema = schemaOfEvaluator(evaluator);
    if (schema === null) open.push(describe(evaluator));
    else checks.push({ answer: { $ignore: true }, read: 'json', schema });
  }
  if (checks.length === 0)
    return draft.skip(name, 'Its evaluators run code of the benchmark, or need an account.', where);
  if (open.length > 0)
    changes.push({
      what: `evaluators: ${open.join('; ')}`,
      why: 'They run code of the benchmark, so they aren’t imported. A run can succeed here that fails there.',
    });
  changes.push({
    what: 'evaluators',
    why: 'JSON in a sentence is accepted as well. There, the answer must be JSON alone.',
  });
  for (const phase of ['prepares', 'cleanups'])
    if (!isEmpty(task[phase]))
      changes.push({ what: phase, why: 'Not imported. Add setup calls, or a fixture.' });
  const form = task['output_format'];
  const servers = objectsIn(task['mcp_servers']).flatMap(
    (each) => nonEmptyText(each['name']) ?? [],
  );
  draft.addTask({
    sourceId,
    name,
    turns: [
      isEmpty(form)
        ? question
        : `${question}\n\nAnswer with JSON alone, in this form:\n${JSON.stringify(form, null, 2)}`,
    ],
    tags: textsOf(task['category']),
    servers: servers.length > 0 ? servers : [server ?? draft.assumeServer()],
    checks,
    changes,
    where,
  });
}

const readFields = [
  ...['category', 'question', 'output_format', 'mcp_servers', 'evaluators'],
  ...['prepares', 'cleanups', 'use_specified_server'],
];

const describe = ({ func, op }: JsonObject): string =>
  [func, op].flatMap((part) => nonEmptyText(part) ?? []).join(' ');

/**
 * The JSON Schema that an answer meets exactly if the evaluator passes: its chain `json -> get(a) ->
 * foreach -> len` leads to values, and each of them is compared. Null if it calls other code.
 */
function schemaOfEvaluator({ func, op = '', value = null }: JsonObject): JsonObject | null {
  if (typeof func !== 'string' || typeof op !== 'string' || !isPlain(value)) return null;
  const [first, ...steps] = func.split('->').map((step) => step.trim());
  return first === 'json' ? schemaAlong(steps, op, value) : null;
}

/** A text with a template is filled from variables there. */
const isPlain = (value: JsonValue): boolean => !template.test(JSON.stringify(value));

function schemaAlong(
  [step, ...rest]: readonly string[],
  op: string,
  value: JsonValue,
): JsonObject | null {
  if (step === undefined) return schemaOfValue(op, value);
  if (step === 'len') return rest.length === 0 ? schemaOfLength(op, value) : null;
  if (step === 'foreach') {
    const items = schemaAlong(rest, op, value);
    return items && { type: 'array', items };
  }
  const key = /^get\((.*)\)$/u.exec(step)?.[1]?.trim();
  const inside = key === undefined ? null : schemaAlong(rest, op, value);
  if (key === undefined || inside === null) return null;
  // What is missing is null there: it equals null, and differs from everything else.
  const mayBeMissing =
    rest.length === 0 &&
    (op === '' || (op === '=' && value === null) || (op === '!=' && value !== null));
  return {
    type: 'object',
    properties: { [key]: inside },
    ...(!mayBeMissing && { required: [key] }),
  };
}

/** An operator with a value; null: it is none of the general ones, or compares other things. */
function schemaOfValue(op: string, value: JsonValue): JsonObject | null {
  if (op === '') return {};
  if (op === '=') return { const: value };
  if (op === '!=') return { not: { const: value } };
  if (op === 'in') return Array.isArray(value) && value.length > 0 ? { enum: value } : null;
  if (op === 'contain')
    return typeof value === 'string'
      ? {
          anyOf: [
            { type: 'array', contains: { const: value } },
            { type: 'string', pattern: value.replace(/[\\^$.*+?()|[\]{}/]/gu, '\\$&') },
          ],
        }
      : { type: 'array', contains: { const: value } };
  const bound = bounds[op];
  return bound !== undefined && isNumber(value) ? { type: 'number', [bound]: value } : null;
}

const bounds: Readonly<Record<string, string>> = {
  '<': 'exclusiveMaximum',
  '<=': 'maximum',
  '>': 'exclusiveMinimum',
  '>=': 'minimum',
};

function schemaOfLength(op: string, value: JsonValue): JsonObject | null {
  if (op === '') return { type: 'array' };
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  const [least, most] =
    op === '='
      ? [value, value]
      : op === '>'
        ? [value + 1, null]
        : op === '>='
          ? [value, null]
          : op === '<'
            ? [0, value - 1]
            : op === '<='
              ? [0, value]
              : [null, null];
  if (least === null || (most !== null && most < 0)) return null;
  return {
    type: 'array',
    ...(least > 0 && { minItems: least }),
    ...(most !== null && { maxItems: most }),
  };
}
