import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import type { ReadOptions } from './caseExchange.ts';
import type { Change, SuiteDraft, TextPosition } from './suiteDraft.ts';
import { toFileChecks } from './taskChecks.ts';
import { nonEmptyText, textsOf } from './values.ts';

/*
 * Tasks of mcpchecker, before gevals (https://github.com/mcpchecker/mcpchecker, docs/reference): a
 * file of `kind: Task` has one, and a file of `kind: Eval` says which tools the tasks of other files
 * must call. `joinTaskFiles` of the command line puts those tasks into its sets.
 */

const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};
const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

export const isTaskFile = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && value['kind'] === 'Task' && isJsonObject(partsOf(value)['prompt'] ?? null);
export const isEvalFile = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) &&
  value['kind'] === 'Eval' &&
  objectOf(value['config'])['taskSets'] !== undefined;

/** Prompt and steps: `spec` of the newer version, `steps` of the first one. */
export const partsOf = (task: JsonObject): JsonObject => objectOf(task['spec'] ?? task['steps']);
export const taskSetsOf = (file: JsonObject): JsonObject[] =>
  objectsIn(objectOf(file['config'])['taskSets']);

/** Adds the tasks of a file of mcpchecker. False: it is no such file. */
export function addMcpchecker(
  draft: SuiteDraft,
  value: JsonValue,
  { server }: Pick<ReadOptions, 'server'>,
): boolean {
  const where = { line: 1, column: 1 };
  if (isTaskFile(value)) {
    addTask(draft, value, {}, { server, where });
    return true;
  }
  if (!isEvalFile(value)) return false;
  draft.name = nonEmptyText(objectOf(value['metadata'])['name']);
  const sets = taskSetsOf(value);
  for (const set of sets)
    for (const task of objectsIn(set['tasks']))
      addTask(draft, task, objectOf(set['assertions']), { server, where });
  if (sets.every((set) => objectsIn(set['tasks']).length === 0)) {
    draft.problem(where, 'Its prompts are in the files of its tasks. Import those.');
  }
  return true;
}

function addTask(
  draft: SuiteDraft,
  task: JsonObject,
  assertions: JsonObject,
  { server, where }: { server: string | null; where: TextPosition },
): void {
  const metadata = objectOf(task['metadata']);
  const parts = partsOf(task);
  const prompt = nonEmptyText(objectOf(parts['prompt'])['inline']);
  const name = nonEmptyText(metadata['name']) ?? prompt ?? 'task';
  if (prompt === null) return draft.skip(name, 'Its prompt is in another file.', where);
  const changes: Change[] = [];
  const calls = readAssertions(assertions, changes);
  const judges = readVerify(parts['verify'], changes);
  for (const phase of ['setup', 'cleanup'])
    if (parts[phase] !== undefined)
      changes.push({ what: phase, why: 'Not imported. Its scripts aren’t run.' });
  const checks = [...calls.checks, ...judges];
  if (checks.length === 0)
    return draft.skip(
      name,
      'It has no check that Touchstone can make: neither tools that must be called nor a text for a judge. Import the evaluation that names its tools.',
      where,
    );
  draft.addTask({
    sourceId: nonEmptyText(metadata['name']),
    name,
    turns: [prompt],
    tags: [
      ...textsOf(metadata['difficulty']),
      ...Object.values(objectOf(metadata['labels'])).flatMap((each) => textsOf(each)),
    ],
    servers: calls.servers.length > 0 ? calls.servers : [server ?? draft.assumeServer()],
    checks,
    changes,
    where,
  });
}

/** Tools that must and must not be called; what a task can't check is named. */
function readAssertions(
  assertions: JsonObject,
  changes: Change[],
): { checks: TaskFileCheck[]; servers: string[] } {
  const leave = (what: string, why: string): void => void changes.push({ what, why });
  const tools = (name: string, list = objectsIn(assertions[name])) =>
    list.flatMap((each) => {
      const pattern = nonEmptyText(each['toolPattern']);
      const tool =
        nonEmptyText(each['tool'] ?? each['name']) ??
        (pattern !== null && /^[\w-]+$/.test(pattern) ? pattern : null);
      if (tool === null) {
        leave(name, `Not imported: ${pattern ?? 'any tool of a server'} names no tool.`);
        return [];
      }
      return [{ server: nonEmptyText(each['server']), tool }];
    });
  const used = tools('toolsUsed');
  const any = tools('requireAny');
  if (any.length === 1) used.push(...any);
  else if (any.length > 1)
    leave('requireAny', 'Not imported. A task can’t ask for one of several tools.');
  const never = tools('toolsNotUsed');
  const order = tools(
    'callOrder',
    objectsIn(assertions['callOrder']).filter(({ type }) => (type ?? 'tool') === 'tool'),
  );
  const isIn = (one: { tool: string }) => order.some(({ tool }) => tool === one.tool);
  const ordered = order.length > 0 && used.every(isIn);
  if (order.length > 0 && !ordered)
    leave('callOrder', 'Not imported, because other tools must be called as well.');
  const must = ordered ? order : used;
  for (const name of Object.keys(assertions))
    if (!['toolsUsed', 'requireAny', 'toolsNotUsed', 'callOrder'].includes(name))
      leave(name, 'Not imported. A task has no such check.');
  const servers = [...new Set([...must, ...never].flatMap(({ server }) => server ?? []))];
  const named = ({ server, tool }: { server: string | null; tool: string }): string =>
    servers.length > 1 && server !== null ? `${server}:${tool}` : tool;
  return {
    servers,
    checks: toFileChecks({ must: must.map(named), never: never.map(named), texts: [], ordered }),
  };
}

/** What a judge decides by the meaning of the answer; scripts and requests aren't run. */
function readVerify(verify: JsonValue | undefined, changes: Change[]): TaskFileCheck[] {
  const steps = Array.isArray(verify)
    ? objectsIn(verify)
    : verify === undefined
      ? []
      : [{ llmJudge: verify } as JsonObject];
  return steps.flatMap((step): TaskFileCheck[] => {
    const { contains, exact } = objectOf(step['llmJudge']);
    const text = nonEmptyText(contains ?? exact);
    if (text !== null)
      return [
        {
          judge:
            exact === undefined
              ? `The answer says all of this, in any words: ${text}`
              : `The answer says this and nothing else, in any words: ${text}`,
        },
      ];
    const kind = Object.keys(step).find((each) => each !== 'llmJudge') ?? 'script';
    changes.push({
      what: `verify: ${kind}`,
      why: 'Not imported. Scripts and requests aren’t run.',
    });
    return [];
  });
}
