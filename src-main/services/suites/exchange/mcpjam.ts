import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import { counted, noun } from '../../../../src-shared/display/numbers.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readDraftSource } from './csvText.ts';
import type { CaseExchange } from './caseExchange.ts';
import { readChecks } from './mcpjamChecks.ts';
import { writeMcpjam } from './mcpjamWrite.ts';
import { readTaskChecks, stepsChange } from './mcpjamTasks.ts';
import { SuiteDraft, type Change, type Place, type TextPosition } from './suiteDraft.ts';
import { namedTools, toFileChecks } from './taskChecks.ts';
import { unreadChanges } from './fieldNames.ts';
import { nonEmptyText } from './values.ts';

const version = 1;

/**
 * The suite file of MCPJam, schema version 1, and the flat list of tests of its command line, as JSON
 * or YAML.
 */
export const mcpjam: CaseExchange = {
  extension: '.mcpjam.json',

  read(text, options) {
    const draft = new SuiteDraft('mcpjam', version, text, options);
    const source = readDraftSource(draft, text);
    if (source !== null) {
      const problem = (path: (string | number)[], message: string): void => {
        const { line, column, path: pointer } = source.problemAt(path, message);
        draft.problem({ line, column }, message, pointer);
      };
      const at = (path: (string | number)[]): TextPosition => {
        const { line, column } = source.problemAt(path, '');
        return { line, column };
      };
      readSuite(draft, source.value, options.server, problem, at);
    }
    return draft.finish();
  },

  holdsTasks: true,
  write: writeMcpjam,
};

function readSuite(
  draft: SuiteDraft,
  file: JsonValue,
  server: string | null,
  problem: (path: (string | number)[], message: string) => void,
  at: (path: (string | number)[]) => TextPosition,
): void {
  const tests = Array.isArray(file) ? file : isJsonObject(file) ? file['tests'] : undefined;
  if (Array.isArray(tests)) {
    const pathOf = (index: number) => (Array.isArray(file) ? [index] : ['tests', index]);
    return readTests(
      draft,
      tests,
      server,
      (index, message) => {
        problem(pathOf(index), message);
      },
      (index) => at(pathOf(index)),
    );
  }
  if (!isJsonObject(file))
    return problem(
      [],
      'This isn’t an MCPJam suite file: it needs schemaVersion, suite, target, and cases.',
    );
  const schemaVersion = file['schemaVersion'];
  if (schemaVersion !== '1')
    return problem(
      schemaVersion === undefined ? [] : ['schemaVersion'],
      schemaVersion === undefined
        ? '`schemaVersion` is required.'
        : `Schema version ${JSON.stringify(schemaVersion)} isn’t supported. Use "1".`,
    );
  if (!Array.isArray(file['cases']))
    return problem(
      file['cases'] === undefined ? [] : ['cases'],
      '`cases` is required: a list of cases.',
    );
  draft.name = isJsonObject(file['suite']) ? nonEmptyText(file['suite']['name']) : null;
  draft.system = isJsonObject(file['defaults'])
    ? nonEmptyText(file['defaults']['systemPrompt'])
    : null;
  const target =
    isJsonObject(file['target']) && Array.isArray(file['target']['servers'])
      ? file['target']['servers']
      : [];
  const named = target
    .map((each) => (isJsonObject(each) ? nonEmptyText(each['name']) : null))
    .filter((each) => each !== null);
  const servers = server === null ? named : [server];
  if (servers.length > 0) draft.servers = servers;
  for (const [index, each] of file['cases'].entries()) {
    if (isJsonObject(each))
      readCase(draft, each, index, servers.length > 0 ? servers : null, () => at(['cases', index]));
    else problem(['cases', index], 'Write the case as an object.');
  }
}

const readTestFields = (
  'id title query isNegativeTest expectedToolCalls expectedOutput judgeRequirement ' +
  'advancedConfig'
).split(' ');
/** How a test is run, which is chosen for an evaluation here. */
const runSettings = ['runs', 'model', 'provider'];
const readCaseFields =
  'id title steps checks assertions isNegativeTest expectedOutput judgeRequirement disabled'.split(
    ' ',
  );

/** A test of the flat list, as the case of a suite that says the same. */
function readTests(
  draft: SuiteDraft,
  tests: readonly JsonValue[],
  server: string | null,
  problem: (index: number, message: string) => void,
  at: (index: number) => TextPosition,
): void {
  const systems = new Set<string | null>();
  /** The first test with another system prompt than those before it. */
  let differing = 0;
  for (const [index, test] of tests.entries()) {
    if (!isJsonObject(test)) {
      problem(index, 'Write the test as an object.');
      continue;
    }
    const config = isJsonObject(test['advancedConfig']) ? test['advancedConfig'] : {};
    systems.add(nonEmptyText(config['system']));
    if (systems.size > 1 && differing === 0) differing = index;
    const each: JsonObject = {
      ...(nonEmptyText(test['id']) !== null && { id: test['id'] ?? null }),
      title: test['title'] ?? null,
      steps: [{ kind: 'prompt', prompt: test['query'] ?? null }],
      isNegativeTest: test['isNegativeTest'] === true,
      checks: checksOf(test['expectedToolCalls']),
      ...(test['expectedOutput'] !== undefined && { expectedOutput: test['expectedOutput'] }),
      ...(test['judgeRequirement'] !== undefined && { judgeRequirement: test['judgeRequirement'] }),
    };
    for (const name of runSettings) if (test[name] !== undefined) draft.leaveField(name);
    const unread = [
      ...unreadChanges(test, [...readTestFields, ...runSettings]),
      ...unreadChanges(config, ['system'], 'advancedConfig.'),
    ];
    readCase(draft, each, index, server === null ? null : [server], at(index), unread);
  }
  const [system = null, ...others] = systems;
  if (others.length === 0) draft.system = system;
  else
    draft.skip(
      'advancedConfig',
      'The tests have different system prompts. A suite has one.',
      at(differing),
    );
}

/**
 * The expected calls of a test as checks. A list of names alone is that of the published command line
 * (1.1.6), which compares how many calls were made: it accepts no other call, and an empty list
 * expects none.
 */
function checksOf(expected: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(expected)) return [];
  if (!expected.every((name) => typeof name === 'string')) return expected.map(toCheck);
  return [
    ...[...new Set(expected)].map((toolName) => ({
      type: 'toolCalledWith',
      toolName,
      minCount: expected.filter((name) => name === toolName).length,
    })),
    { type: 'onlyToolsCalled', toolNames: expected },
  ];
}

/** An expected call: the name of its tool, or the tool with arguments. */
function toCheck(call: JsonValue): JsonValue {
  if (!isJsonObject(call)) return { type: 'toolCalledAtLeastOnce', toolName: call };
  const toolName = call['toolName'] ?? call['name'] ?? null;
  const args = call['arguments'] ?? call['args'];
  return isJsonObject(args) && Object.keys(args).length > 0
    ? { type: 'toolCalledWith', toolName, args: { args } }
    : { type: 'toolCalledAtLeastOnce', toolName };
}

function readCase(
  draft: SuiteDraft,
  each: JsonObject,
  index: number,
  servers: readonly string[] | null,
  where: Place,
  unread: readonly Change[] = unreadChanges(each, readCaseFields),
): void {
  const sourceId = nonEmptyText(each['id']);
  const title = nonEmptyText(each['title']) ?? sourceId ?? `cases[${index}]`;
  const label = sourceId ?? title;
  const steps = (Array.isArray(each['steps']) ? each['steps'] : []).filter(isJsonObject);
  const prompts = steps
    .filter(({ kind }) => kind === 'prompt')
    .map(({ prompt }) => nonEmptyText(prompt));
  const [query = null, ...later] = prompts;
  if (query === null) return draft.skip(label, 'It has no prompt, so no model is asked.', where);
  if (later.length > 0)
    return readTask(draft, each, { sourceId, title, label, steps, where, unread }, servers);
  const changes: Change[] = [...unread];
  const actionCount = steps.filter(({ kind }) => kind === 'toolCall' || kind === 'interact').length;
  if (actionCount > 0)
    changes.push({
      what: 'Steps',
      why: `${counted(actionCount, 'step')} without a model ${noun(actionCount, 'is', 'are')} not imported.`,
    });
  const asserted = steps
    .filter(({ kind }) => kind === 'assert')
    .map(({ assertion }) => assertion ?? null);
  const checks = each['checks'] ?? each['assertions'];
  const found = readChecks(
    [...(Array.isArray(checks) ? checks : []), ...asserted],
    each['isNegativeTest'] === true,
  );
  if ('reasons' in found) return draft.skip(label, found.reasons.join(' '), where);
  if (nonEmptyText(each['expectedOutput']) !== null)
    changes.push({ what: 'expectedOutput', why: 'Not imported. Only tool calls are scored.' });
  if (nonEmptyText(each['judgeRequirement']) !== null)
    changes.push({
      what: 'judgeRequirement',
      why: 'It is judged by a model, so it isn’t imported.',
    });
  if (each['disabled'] === true)
    changes.push({
      what: 'disabled',
      why: 'MCPJam doesn’t run it. Touchstone does, and tags it disabled.',
    });
  const calls = found.calls.map(({ tool, parameters }) => {
    const [only = null, ...others] = servers ?? [];
    const where =
      others.length === 0
        ? draft.locate({ server: only, tool }, null)
        : { any_of: (servers ?? []).map((server) => ({ server, tool })) };
    return { ...where, ...(parameters !== undefined && { parameters }) };
  });
  draft.add({
    sourceId,
    name: title,
    query,
    calls,
    argumentsMode: found.argumentsMode,
    ...(each['disabled'] === true && { tags: ['disabled'] }),
    changes: [...changes, ...found.changes],
    where,
  });
}

/** A case with several prompts is a task: its checks are judged after the last one. */
function readTask(
  draft: SuiteDraft,
  each: JsonObject,
  {
    sourceId,
    title,
    label,
    steps,
    where,
    unread,
  }: {
    sourceId: string | null;
    title: string;
    label: string;
    steps: readonly JsonObject[];
    where: Place;
    unread: readonly Change[];
  },
  servers: readonly string[] | null,
): void {
  const turns = steps
    .filter(({ kind }) => kind === 'prompt')
    .flatMap(({ prompt }) => nonEmptyText(prompt) ?? []);
  const checks = each['checks'] ?? each['assertions'];
  const isAssert = ({ kind }: JsonObject): boolean => kind === 'assert';
  const last = steps.findLastIndex(({ kind }) => kind === 'prompt');
  const { found, changes } = readTaskChecks([
    ...(Array.isArray(checks) ? checks : []),
    ...steps.filter(isAssert).map(({ assertion }) => assertion ?? null),
  ]);
  // Each of them is judged by itself there, so that one call may meet several.
  const fileChecks: TaskFileCheck[] = [
    ...(each['isNegativeTest'] === true ? [{ calls: { total: { at_most: 0 } } }] : []),
    ...found.must.map((use) => ({ calls: { must: [use] } })),
    ...toFileChecks({ ...found, must: [] }),
  ];
  if (fileChecks.length === 0)
    return draft.skip(label, 'It has several prompts, and no check that a task can have.', where);
  const isAction = ({ kind }: JsonObject): boolean => kind === 'toolCall' || kind === 'interact';
  const isDisabled = each['disabled'] === true;
  draft.addTask({
    sourceId,
    name: title,
    turns,
    ...(isDisabled && { tags: ['disabled'] }),
    ...(servers === null && { servers: draft.serversOf(namedTools(fileChecks)) }),
    checks: fileChecks,
    changes: [
      ...unread,
      ...changes,
      ...stepsChange(
        steps.filter(isAction).length,
        steps.filter((step, at) => isAssert(step) && at < last).length,
      ),
      ...(isDisabled
        ? [
            {
              what: 'disabled',
              why: 'MCPJam doesn’t run it. Touchstone does, and tags it disabled.',
            },
          ]
        : []),
    ],
    where,
  });
}
