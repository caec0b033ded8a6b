import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import type { ReadOptions } from './caseExchange.ts';
import { programOfScript } from './scriptProgram.ts';
import type { Change, SuiteDraft, TextPosition } from './suiteDraft.ts';
import type { ToolCatalog } from './toolCatalog.ts';
import { nonEmptyText, objectOf, objectsIn, textsOf } from './values.ts';

/*
 * Tasks of mcpchecker, before gevals (https://github.com/mcpchecker/mcpchecker, docs/reference): a
 * file of `kind: Task` has one, and a file of `kind: Eval` says which tools the tasks of other files
 * must call. `joinTaskFiles` of the command line puts those tasks into its sets.
 */

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
  const calls = readAssertions(assertions, draft.catalog, changes);
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

/** What an assertion names: tools of a server, none of which is known by name where it is a pattern. */
interface NamedTools {
  server: string | null;
  names: string[];
}

/**
 * The tools that an assertion means: the one that it names, those of the server that match its
 * pattern, or all of the server. Null if the pattern can’t be read.
 */
function namedTools(assertion: JsonObject, catalog: ToolCatalog): NamedTools | null {
  const server = nonEmptyText(assertion['server']);
  const tool = nonEmptyText(assertion['tool'] ?? assertion['name']);
  if (tool !== null) return { server, names: [tool] };
  const pattern = nonEmptyText(assertion['toolPattern']);
  if (pattern !== null && /^[\w-]+$/.test(pattern) && catalog.toolsOf(server ?? '').length === 0)
    return { server, names: [pattern] };
  const matches = orElse(() => new RegExp(pattern ?? '', 'u'), null);
  if (matches === null) return null;
  const listed = catalog.toolsOf(server ?? '').map(({ name }) => name);
  return { server, names: listed.filter((name) => matches.test(name)) };
}

/**
 * What an evaluation asserts of the calls of a task. Each assertion is judged by itself there, so each
 * is a check of its own.
 */
function readAssertions(
  assertions: JsonObject,
  catalog: ToolCatalog,
  changes: Change[],
): { checks: TaskFileCheck[]; servers: string[] } {
  const leave = (what: string, why: string): void => void changes.push({ what, why });
  const tools = (what: string): NamedTools[] =>
    objectsIn(assertions[what]).flatMap((each) => {
      const found = namedTools(each, catalog);
      if (found !== null && found.names.length > 0) return [found];
      leave(
        what,
        `${nonEmptyText(each['toolPattern']) ?? 'Any tool of a server'} isn’t imported: no listed tool of ` +
          `${found?.server ?? 'its server'} matches. Register the server and import again.`,
      );
      return [];
    });
  const used = tools('toolsUsed');
  const any = tools('requireAny');
  const never = tools('toolsNotUsed');
  const steps = objectsIn(assertions['callOrder']);
  const order = steps.filter(({ type }) => (type ?? 'tool') === 'tool');
  const ordered = order.flatMap((each) => namedTools(each, catalog) ?? []);
  if (order.length < steps.length)
    leave('callOrder', 'Only its tools are imported: models get no resources and prompts here.');
  const servers = [
    ...new Set([...used, ...any, ...never, ...ordered].flatMap(({ server }) => server ?? [])),
  ];
  const idsOf = ({ server, names }: NamedTools): string[] =>
    servers.length > 1 && server !== null ? names.map((name) => `${server}:${name}`) : names;
  const choice = (ids: string[]): TaskFileCheck => ({
    calls: ids.length === 1 ? { must: ids } : { any: ids },
  });
  const [least, most] = [countOf(assertions['minToolCalls']), countOf(assertions['maxToolCalls'])];
  for (const name of Object.keys(assertions))
    if (!readAssertionNames.includes(name))
      leave(
        name,
        'Not imported: models are offered tools alone. A run can succeed here that fails there.',
      );
  return {
    servers,
    checks: [
      ...used.map((each) => choice(idsOf(each))),
      ...(any.length > 0 ? [choice(any.flatMap(idsOf))] : []),
      ...(ordered.length > 0
        ? [
            {
              calls: {
                must: ordered.flatMap(idsOf),
                ...(ordered.length > 1 && { ordered: true }),
              },
            },
          ]
        : []),
      ...(never.length > 0 ? [{ calls: { never: never.flatMap(idsOf) } }] : []),
      ...(least !== null || most !== null
        ? [
            {
              calls: {
                total: {
                  ...(least !== null && { at_least: least }),
                  ...(most !== null && { at_most: most }),
                },
              },
            },
          ]
        : []),
      ...(assertions['noDuplicateCalls'] === true ? [{ calls: { repeats: false as const } }] : []),
    ],
  };
}

const readAssertionNames = [
  ...['toolsUsed', 'requireAny', 'toolsNotUsed', 'callOrder'],
  ...['minToolCalls', 'maxToolCalls', 'noDuplicateCalls'],
];
const countOf = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

/** What a judge decides by the meaning of the answer, and scripts; an import runs nothing. */
function readVerify(verify: JsonValue | undefined, changes: Change[]): TaskFileCheck[] {
  const steps = Array.isArray(verify)
    ? objectsIn(verify)
    : verify === undefined
      ? []
      : [{ llmJudge: verify } as JsonObject];
  return steps.flatMap((step): TaskFileCheck[] => {
    const { contains, exact, file, inline } = objectOf(step['llmJudge']);
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
    // The first version has its only script in place of the steps.
    const isScript = file !== undefined || inline !== undefined;
    const kind = isScript
      ? 'script'
      : (Object.keys(step).find((each) => each !== 'llmJudge') ?? 'script');
    const program =
      kind === 'script'
        ? programOfScript(objectOf(isScript ? step['llmJudge'] : step['script']))
        : null;
    if (program !== null) {
      changes.push({
        what: 'verify: script',
        why: 'It becomes a program, which starts only if you allow it. Keep the script next to the suite file.',
      });
      return [{ program }];
    }
    changes.push({
      what: `verify: ${kind}`,
      why: 'Not imported. Scripts and requests aren’t run, so a run can succeed here that fails there.',
    });
    return [];
  });
}
