import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';
import { readLongList, readSourceText, type ProblemAt } from '../../files/sourceText.ts';
import { findTextProblem } from './csvText.ts';
import type { CaseExchange, ReadOptions } from './caseExchange.ts';
import { readAsserts, type Expectation, type NamedCall } from './promptfooAsserts.ts';
import { readExportedCalls } from './promptfooCalls.ts';
import { conversationOf, toTask, type Turn } from './promptfooConversations.ts';
import { PromptfooFiles } from './promptfooFiles.ts';
import { readUser, simulatedUserOf } from './promptfooUsers.ts';
import { readPromptfooTable, type ReadTest } from './promptfooTable.ts';
import { writePromptfoo } from './promptfooWrite.ts';
import { expandVariables, buildQueries, readPrompts, type Prompt } from './promptfooPrompts.ts';
import { isTemplate, renderTemplate, renderValue, resolveVariables } from './promptfooTemplates.ts';
import { unreadChanges } from './fieldNames.ts';
import {
  shortName,
  SuiteDraft,
  type Change,
  type FileCall,
  type TextPosition,
} from './suiteDraft.ts';
import { namedTools } from './taskChecks.ts';
import { nonEmptyText, textsOf } from './values.ts';

const version = 1;

/**
 * The configuration of promptfoo (YAML or JSON) and its CSV tests. Nothing is executed: no program,
 * no file, no template logic.
 */
export const promptfoo: CaseExchange = {
  extension: '.promptfoo.yaml',

  read(text, options) {
    const draft = new SuiteDraft('promptfoo', version, text, options);
    const refused = findTextProblem(text);
    if (refused !== null) draft.problem(refused, refused.message);
    else if (
      /\.csv$/i.test(options.fileName) ||
      /^(?:\ufeff?"?sep=[^\n]*\n)?[^\n]*(^|[,;\t|])"?__expected/.test(text)
    )
      readPromptfooTable(draft, text, (test) => {
        addTest(draft, test, [], null, options.server);
      });
    else readConfig(draft, text, options);
    return draft.finish();
  },

  write: writePromptfoo,
  holdsTasks: true,
};

/** A configuration; of a long one, `value` has only the first of its tests. */
interface Config {
  value: JsonValue;
  problemAt: ProblemAt;
  tests: () => Iterable<JsonValue>;
}

function openConfig(text: string): Config | { problems: FileProblem[] } {
  const long = readLongList(text);
  const [first] = long?.parts() ?? [];
  if (long === undefined || first === undefined || !/^(?:tests)?$/.test(long.path.join('.'))) {
    const read = readSourceText(text);
    return read.readable ? { ...read, tests: () => testsIn(read.value) } : read;
  }
  let whole: ReturnType<typeof readSourceText> | undefined;
  return {
    value: first.document,
    // Only for a place that is shown: it needs all of the text at once.
    problemAt(path, message) {
      whole ??= readSourceText(text);
      return whole.readable
        ? whole.problemAt(path, message)
        : { line: null, column: null, path: '', message };
    },
    *tests() {
      for (const { document } of long.parts()) yield* testsIn(document);
    },
  };
}

function testsIn(value: JsonValue): JsonValue[] {
  const tests = isJsonObject(value) ? value['tests'] : value;
  return Array.isArray(tests) || typeof tests === 'string' ? [tests].flat() : [];
}

function readConfig(draft: SuiteDraft, text: string, { server, files: given }: ReadOptions): void {
  const source = openConfig(text);
  if ('problems' in source) {
    for (const { line, column, path, message } of source.problems)
      draft.problem({ line, column }, message, path);
    return;
  }
  const { value, problemAt } = source;
  const config: JsonValue = Array.isArray(value) ? { tests: value } : value;
  const at = (path: (string | number)[]): TextPosition =>
    toPosition(problemAt, Array.isArray(value) ? path.slice(1) : path);
  if (!isJsonObject(config))
    return draft.problem(
      at([]),
      'This isn’t a promptfoo configuration: it needs prompts and tests, or a list of tests.',
    );
  const files = new PromptfooFiles(given);
  const { tests } = config;
  if (!Array.isArray(tests) && !files.has(tests))
    return draft.problem(
      at(tests === undefined ? [] : ['tests']),
      typeof tests === 'string'
        ? `The tests are in ${tests}, which isn’t opened. Import that file instead.`
        : '`tests` is required: a list of tests.',
      '/tests',
    );
  draft.name = nonEmptyText(config['description']);
  const prompts = readPrompts(files.prompts(config['prompts']));
  const shares = files.open(config['defaultTest'] ?? {});
  const defaults = isJsonObject(shares) ? files.openTest(shares) : {};
  if (typeof shares === 'string') draft.leaveField(`defaultTest (${shares}, which isn’t opened)`);
  const shared = textsOf(metadataOf(defaults)['servers']);
  if (shared.length > 0) draft.servers = shared;
  if (config['scenarios'] !== undefined)
    draft.skip('scenarios', 'Scenarios can’t be imported. Write them as tests.', at(['scenarios']));
  const conversations = new Map<string, Turn[]>();
  /** Settings of simulated users, by conversation. */
  const users = new Map<string, JsonObject>();
  for (const { test: entry, label, at: index } of files.tests(source.tests())) {
    const test = isJsonObject(entry) ? files.openTest(entry) : entry;
    if (!isJsonObject(test))
      draft.skip(
        label,
        typeof test === 'string'
          ? `It refers to ${test}, and other files aren’t opened.`
          : 'It isn’t an object.',
        at(['tests', index]),
      );
    else {
      const given = { test, label, defaults, where: () => at(['tests', index]) };
      const played = simulatedUserOf(test, defaults);
      const id = conversationOf({ ...metadataOf(defaults), ...metadataOf(test) });
      const conversation = id ?? (played === null ? null : label);
      if (conversation === null) addTest(draft, given, prompts, config['providers'], server);
      else {
        const turns = conversations.get(conversation) ?? [];
        conversations.set(conversation, [...turns, toTurn(given)]);
        if (played !== null) users.set(conversation, played);
      }
    }
  }
  const known = server ?? findOnlyServer(config['providers']);
  for (const [id, turns] of conversations) {
    const task = playedTask(id, turns, prompts, users.get(id));
    if ('reason' in task) draft.skip(id, task.reason, turns[0]?.where ?? at(['tests']));
    else {
      const isNamed = (task.servers ?? []).length > 0 || shared.length > 0;
      const servers = (): string[] =>
        known === null ? draft.serversOf(namedTools(task.checks)) : [known];
      draft.addTask(isNamed ? task : { ...task, servers: servers() });
    }
  }
}

/** The task of a conversation, in which a simulated user speaks if a test asks for one. */
function playedTask(
  id: string,
  turns: readonly Turn[],
  prompts: readonly Prompt[],
  config: JsonObject | undefined,
): ReturnType<typeof toTask> {
  if (config === undefined) return toTask(id, turns, prompts);
  const [turn] = turns;
  if (turn === undefined || turns.length > 1)
    return {
      reason: 'A conversation with a simulated user is one test, and this one has several.',
    };
  const played = readUser(config, turn.variables);
  return 'reason' in played ? played : toTask(id, turns, prompts, played);
}

/** A test with the variables and assertions that the configuration adds to it. */
const toTurn = ({ test, label, defaults, where }: ReadTest): Turn => ({
  test,
  label,
  variables: variablesOf(test, defaults),
  asserts: assertsOf(test, defaults),
  where,
});

const variablesOf = (test: JsonObject, defaults: JsonObject): JsonObject => ({
  ...(isJsonObject(defaults['vars']) ? defaults['vars'] : {}),
  ...(isJsonObject(test['vars']) ? test['vars'] : {}),
});

function assertsOf(test: JsonObject, defaults: JsonObject): JsonValue[] {
  const own = optionsOf(test)['disableDefaultAsserts'] === true;
  return [...(own ? [] : listOf(defaults['assert'])), ...listOf(test['assert'])];
}

function addTest(
  draft: SuiteDraft,
  { test, label, defaults, where }: ReadTest,
  prompts: readonly Prompt[],
  providers: JsonValue | undefined,
  server: string | null,
): void {
  const description = nonEmptyText(test['description']);
  const title = description === null ? label : `${label} ${description}`;
  const metadata = { ...metadataOf(defaults), ...metadataOf(test) };
  const ofFile = [test['vars'], defaults['vars']].find((vars) => typeof vars === 'string');
  if (typeof ofFile === 'string')
    return draft.skip(title, `Its variables are in ${ofFile}, which isn’t opened.`, where);
  const given = assertsOf(test, defaults);
  const variables = variablesOf(test, defaults);
  const rows = isExpanded(test, defaults) ? expandVariables(variables) : [variables];
  if (rows === null)
    return draft.skip(title, 'Its lists of variables would make more than 1,000 cases.', where);
  const expectedOf = (row: JsonObject): Expectation | { reasons: string[] } => {
    const rendered = isTemplate(given)
      ? renderValue(given, resolveVariables(row))
      : { value: given };
    if ('refused' in rendered) return { reasons: [rendered.refused] };
    const asserts = listOf(rendered.value);
    return readExportedCalls(given, metadata) ?? readAsserts(asserts);
  };
  const shared = isTemplate(given) ? null : expectedOf({});
  const servers = isJsonObject(metadata['tool_servers']) ? metadata['tool_servers'] : {};
  const toFileCall = ({ tool, parameters }: NamedCall): FileCall => {
    const named = Object.hasOwn(servers, tool) ? nonEmptyText(servers[tool]) : null;
    const located = draft.locate({ server: named, tool }, server ?? findOnlyServer(providers));
    return { ...located, ...(parameters !== undefined && { parameters }) };
  };
  const id = nonEmptyText(metadata['id']);
  let added = 0;
  for (const row of rows) {
    const found = shared ?? expectedOf(row);
    if ('reasons' in found) return draft.skip(title, found.reasons.join(' '), where);
    const built = buildQueries(prompts, row);
    if ('refused' in built) return draft.skip(title, built.refused, where);
    const calls = found.calls.map(toFileCall);
    for (const query of built.queries) {
      added += 1;
      draft.add({
        sourceId: id,
        name: nameOf(description, row) ?? shortName(query.text),
        query: query.text,
        ...query.own,
        calls,
        tags: textsOf(metadata['tags']),
        servers: textsOf(metadataOf(test)['servers']),
        orderDependent: found.orderDependent,
        argumentsMode: found.argumentsMode,
        changes: [...found.changes, ...query.changes, ...unreadFields(test)],
        where,
      });
    }
  }
  if (added === 0)
    draft.skip(
      title,
      'It has no text for the query: its prompts are in other files, or no variable ' +
        'contains it.',
      where,
    );
}

/** A description is a template too. */
function nameOf(description: string | null, row: JsonObject): string | null {
  if (description === null) return null;
  const rendered = renderTemplate(description, resolveVariables(row));
  return 'refused' in rendered ? description : (nonEmptyText(rendered.text) ?? description);
}

const optionsOf = (test: JsonObject): JsonObject =>
  isJsonObject(test['options']) ? test['options'] : {};
/** Whether a list of values makes one case for each of them. */
const isExpanded = (test: JsonObject, defaults: JsonObject): boolean =>
  ({ ...optionsOf(defaults), ...optionsOf(test) })['disableVarExpansion'] !== true;

const readMetadata =
  'id tags servers tool_servers expected_calls order_dependent arguments_mode conversationId'.split(
    ' ',
  );

/** Fields of a test that say nothing here. Options of its assertions are read with these. */
function unreadFields(test: JsonObject): Change[] {
  return [
    ...unreadChanges(test, ['description', 'vars', 'assert', 'metadata', 'options']),
    ...unreadChanges(optionsOf(test), ['disableDefaultAsserts', 'disableVarExpansion'], 'options.'),
    ...unreadChanges(metadataOf(test), readMetadata, 'metadata.'),
  ];
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const metadataOf = (test: JsonObject): JsonObject =>
  isJsonObject(test['metadata']) ? test['metadata'] : {};

/** The only MCP server of the providers; null if there is none or several. */
function findOnlyServer(providers: JsonValue | undefined): string | null {
  const names = new Set<string>();
  for (const provider of listOf(providers)) {
    const config =
      isJsonObject(provider) && isJsonObject(provider['config']) ? provider['config'] : {};
    const mcp = isJsonObject(config['mcp']) ? config['mcp'] : {};
    for (const each of [mcp['server'], ...listOf(mcp['servers'])]) {
      const name = isJsonObject(each) ? nonEmptyText(each['name']) : null;
      if (name !== null) names.add(name);
    }
  }
  const [name] = names;
  return names.size === 1 && name !== undefined ? name : null;
}

function toPosition(problemAt: ProblemAt, path: (string | number)[]): TextPosition {
  const { line, column } = problemAt(path, '');
  return { line, column };
}
