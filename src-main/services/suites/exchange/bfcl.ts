import type { ExportLoss } from '../../../../src-shared/contract/suites.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { CaseFile, SuiteFileCase } from '../../../../src-shared/domain/suiteFile.ts';
import type { TaskFileCheck } from '../../../../src-shared/domain/taskFile.ts';
import { mayBeLeftOut } from '../../../scoring/bfcl.ts';
import { acceptsAbsence, isMatcher } from '../../../scoring/matchers.ts';
import type { CaseExchange } from './caseExchange.ts';
import { readMessages, splitAtLastQuery, systemOf, toPriorMessages } from './chatMessages.ts';
import { readLines } from './jsonLines.ts';
import { unreadChanges } from './fieldNames.ts';
import { firstRightCall } from './firstRightCall.ts';
import { SuiteDraft, type Change, type DraftCase, type FileCall } from './suiteDraft.ts';
import { suiteLosses } from './suiteLosses.ts';
import { isEmpty, nonEmptyText, toLiteral, mapObject, plainValue } from './values.ts';
import { toFileChecks } from './taskChecks.ts';

const version = 1;

/**
 * The Berkeley Function-Calling Leaderboard: JSON lines with the question and the accepted answers
 * in one object, and the server of its functions if they are carried along (`joinBfclFiles`).
 */
export const bfcl: CaseExchange = {
  extension: '.bfcl.jsonl',

  read(text, options) {
    const draft = new SuiteDraft('bfcl', version, text, options);
    for (const { line, value } of readLines(draft, text)) readCase(draft, line, value);
    return draft.finish();
  },

  write(suite) {
    const losses = suiteLosses(
      suite,
      {
        caseServers: true,
        tags: true,
        order: true,
        allowed: true,
        notes: true,
      },
      false,
    );
    losses.push({
      case: null,
      what: 'Servers and tool descriptions aren’t exported.',
    });
    const isLenient = ({ arguments_mode: mode, expected_calls: calls }: SuiteFileCase): boolean =>
      mode !== 'exact' && calls.some(({ parameters }) => parameters !== undefined);
    if (suite.cases.some(isLenient))
      losses.push({
        case: null,
        what: 'The leaderboard rejects arguments that a case doesn’t list, as arguments mode exact does.',
      });
    const lines = suite.cases.map((each) =>
      JSON.stringify({
        id: each.id,
        question: [questionOf(each, suite)],
        function: [],
        ground_truth: each.expected_calls.map((call) => toAnswer(each, call, losses)),
      }),
    );
    for (const { id, name } of suite.cases)
      if (name !== id)
        losses.push({ case: id, what: `Its name ${JSON.stringify(name)} isn’t exported.` });
    return { text: lines.map((line) => `${line}\n`).join(''), losses };
  },
};

const readFields = 'id name question query messages function tools category server'.split(' ');

function readCase(draft: SuiteDraft, line: number, object: JsonObject): void {
  const where = { line, column: 1 };
  const sourceId = nonEmptyText(object['id']);
  const label = sourceId ?? `line ${line}`;
  const changes: Change[] = [];
  const task = readTask(object);
  if (task !== null)
    return draft.addTask({
      ...{ sourceId, name: label, where },
      ...task,
      servers: [nonEmptyText(object['server']) ?? draft.assumeServer()],
    });
  const asked = readQuestion(object);
  if (asked === null)
    return draft.skip(
      label,
      'Its question has several turns, or no user message. A case has one query.',
      where,
    );
  const answerField = ['acceptable', 'possible_answer', 'ground_truth'].find(
    (name) => object[name] != null,
  );
  const answers = object[answerField ?? 'ground_truth'];
  // `acceptable` has the accepted values; `expected_calls` next to it has one of them.
  const left = ['source', ...(answerField === 'acceptable' ? ['expected_calls'] : [])];
  for (const name of left) if (!isEmpty(object[name])) draft.leaveField(name);
  changes.push(...unreadChanges(object, [...readFields, ...left, answerField ?? '']));
  const isIrrelevance = /irrelevance/.test(
    `${nonEmptyText(object['category']) ?? ''} ${sourceId ?? ''}`,
  );
  if (answers === undefined && !isIrrelevance)
    return draft.skip(
      label,
      'It has no accepted answer. The leaderboard keeps the answers in a file of their own: join ' +
        'the two by ID first.',
      where,
    );
  if (answers !== undefined && !Array.isArray(answers))
    return draft.problem(
      where,
      'Write the answers as a list of {"tool": {"parameter": [values]}}.',
    );
  const calls: FileCall[] = [];
  const server = nonEmptyText(object['server']);
  for (const answer of answers ?? []) {
    const [[tool, parameters] = ['', null], ...more] = isJsonObject(answer)
      ? Object.entries(answer)
      : [];
    if (more.length > 0 || tool === '' || !isJsonObject(parameters))
      return draft.skip(
        label,
        'One of its answers isn’t one tool with its parameters. Only tool calls can be imported, not ' +
          'checks of states or code.',
        where,
      );
    const lists = Object.entries(parameters);
    if (lists.some(([, values]) => !Array.isArray(values) || values.length === 0))
      return draft.problem(where, `Give each parameter of ${tool} a list of accepted values.`);
    calls.push({
      server: server ?? draft.assumeServer(),
      tool,
      parameters: mapObject(parameters, (values) => toMatcher(Array.isArray(values) ? values : [])),
    });
    addDifferences(tool, parameters, changes);
  }
  draft.add({
    sourceId,
    name: nonEmptyText(object['name']) ?? label,
    ...asked,
    calls,
    // The leaderboard rejects an argument that its answers don't list.
    ...(calls.length > 0 && { argumentsMode: 'exact' }),
    ...(server !== null && { servers: [server] }),
    changes,
    where,
  });
}

/**
 * A question that no single answer of a model decides: several turns with the calls of each, written
 * as code (`cd(folder='x')`), or one whose answer is a text. Null for every other.
 */
function readTask(
  object: JsonObject,
): { turns: string[]; checks: TaskFileCheck[]; changes: Change[] } | null {
  const { question, ground_truth: truth } = object;
  if (!Array.isArray(question) || !Array.isArray(truth) || truth.length === 0) return null;
  const turns = question.flatMap((turn) => {
    const asked = (Array.isArray(turn) ? turn : [turn]).filter(isJsonObject);
    return nonEmptyText(asked.findLast(({ role }) => role === 'user')?.['content']) ?? [];
  });
  if (turns.length === 0) return null;
  const left = 'initial_config involved_classes path excluded_function missed_function'.split(' ');
  const unread = unreadChanges(object, [...readFields, ...left, 'ground_truth', 'source']);
  const texts = truth.filter((each) => typeof each === 'string');
  if (texts.length === truth.length && turns.length === 1) {
    const [only = '', ...others] = texts.map((text) => ({ $contains: text }));
    return {
      turns,
      checks: [{ answer: others.length === 0 ? only : { $any: [only, ...others] } }],
      changes: [...unread, { what: 'ground_truth', why: 'The answer must contain this text.' }],
    };
  }
  const calls = truth.flatMap((turn) => (Array.isArray(turn) ? turn : [null]));
  const must = calls.flatMap((call) =>
    typeof call === 'string' ? (/^([\w.]+)\(/.exec(call.trim())?.[1] ?? []) : [],
  );
  if (must.length < calls.length || must.length === 0) return null;
  return {
    turns,
    checks: toFileChecks({ must, never: [], texts: [] }),
    changes: [
      ...unread,
      {
        what: 'ground_truth',
        why: 'Its tools must be called. Their arguments, and the state that they lead to, aren’t imported.',
      },
    ],
  };
}

/** The last message of the user, with what is said before; null if there are several turns or none. */
function readQuestion(object: JsonObject): Pick<DraftCase, 'query' | 'system' | 'messages'> | null {
  const plain = nonEmptyText(object['query']) ?? nonEmptyText(object['question']);
  if (plain !== null) return { query: plain };
  const turns = object['question'] ?? object['messages'];
  if (!Array.isArray(turns)) return null;
  const nested = turns.filter(Array.isArray);
  const messages = nested.length > 1 ? null : readMessages(nested[0] ?? turns);
  const split = messages && splitAtLastQuery(messages);
  if (messages === null || split === null) return null;
  const [system, prior] = [systemOf(messages), toPriorMessages(split.before)];
  return {
    query: split.query,
    ...(system !== null && { system }),
    ...(prior.length > 0 && { messages: prior }),
  };
}

/** A question with its system prompt and the messages before it. */
function questionOf(each: SuiteFileCase, suite: CaseFile): JsonObject[] {
  const { system = suite.system, messages = suite.messages ?? [] } = each;
  return [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...messages.map(({ role, content }) => ({ role, content })),
    { role: 'user', content: each.query },
  ];
}

/**
 * Converts accepted values to a matcher. `""` among them means that the parameter may be left out.
 */
function toMatcher(values: readonly JsonValue[]): JsonValue {
  const rest = values.filter((value) => value !== '');
  const [only] = rest;
  if (only === undefined) return { $optional: '' };
  const matcher = rest.length === 1 ? toAcceptedValue(only) : { $any: rest.map(toAcceptedValue) };
  return rest.length < values.length ? { $optional: matcher } : matcher;
}

/** Inside objects, and objects in arrays, each value is again a list of accepted values. */
function toAcceptedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(toAcceptedValue);
  if (!isJsonObject(value)) return value;
  const made = mapObject(value, (values) =>
    Array.isArray(values) ? toMatcher(values) : toLiteral(values),
  );
  return isMatcher(made) ? { $eq: made } : made;
}

/**
 * Notes where the leaderboard compares values differently, so that the import does not count as
 * exact.
 */
function addDifferences(tool: string, parameters: JsonObject, changes: Change[]): void {
  const lists = Object.entries(parameters);
  const add = (names: string[], why: string): void => {
    if (names.length > 0) changes.push({ what: `${tool}: ${names.join(', ')}`, why });
  };
  const found = (test: (values: JsonValue) => boolean) =>
    lists.filter(([, values]) => test(values)).map(([name]) => name);
  add(
    found(containsText),
    'The leaderboard ignores spaces and ,./-_*^ in text. Touchstone compares them.',
  );
  add(
    found((values) => mayBeLeftOut(values) && Array.isArray(values) && values.length > 1),
    'The leaderboard also accepts empty text for an optional parameter. In Touchstone, the ' +
      'parameter must be absent or equal.',
  );
}

function containsText(value: JsonValue): boolean {
  if (typeof value === 'string') return value !== '';
  if (Array.isArray(value)) return value.some(containsText);
  return isJsonObject(value) && Object.values(value).some(containsText);
}

function toAnswer(each: SuiteFileCase, call: FileCall, losses: ExportLoss[]): JsonObject {
  const addLoss = (what: string): void => void losses.push({ case: each.id, what });
  const { tool, parameters } = firstRightCall(call, addLoss);
  if (parameters === undefined)
    addLoss(`${tool}: Touchstone accepts any arguments, but the leaderboard then accepts none.`);
  const lists: JsonObject = {};
  for (const [name, value] of Object.entries(parameters ?? {})) {
    const values = toAcceptedValues(value);
    if (values === null)
      addLoss(
        `${tool}: ${name} isn’t exported, because its matcher can’t be written as a list of ` +
          'accepted values.',
      );
    else {
      lists[name] = values;
      const of = `${tool}: ${name}`;
      if (mayBeLeftOut(values) && !acceptsAbsence(value))
        addLoss(`${of} may be left out, because the leaderboard writes that as an empty text.`);
      if (hasExactText(value))
        addLoss(
          `${of} isn’t compared letter by letter, because the leaderboard compares no text so.`,
        );
    }
  }
  return { [tool]: lists };
}

/** Whether `$exact` compares a text at any depth. */
function hasExactText(value: JsonValue): boolean {
  if (isMatcher(value) && '$exact' in value) return containsText(value['$exact'] ?? null);
  if (Array.isArray(value)) return value.some(hasExactText);
  return isJsonObject(value) && Object.values(value).some(hasExactText);
}

/** The accepted values that a matcher stands for; null if it cannot be written as a list. */
function toAcceptedValues(value: JsonValue): JsonValue[] | null {
  if (isMatcher(value)) {
    const [[key, operand] = ['', null], ...more] = Object.entries(value);
    if (more.length > 0) return null;
    if (key === '$optional') {
      const inner = operand === '' ? [] : toAcceptedValues(operand ?? null);
      return inner === null ? null : [...inner, ''];
    }
    if (key === '$any' && Array.isArray(operand)) {
      const lists = operand.map(toAcceptedValues);
      return lists.every((list) => list !== null) ? lists.flat() : null;
    }
    const plain = plainValue(value);
    return plain === undefined ? null : wrap(wrapMembers(plain));
  }
  return wrap(wrapMembers(value));
}

const wrap = (value: JsonValue | undefined): JsonValue[] | null =>
  value === undefined ? null : [value];

/**
 * Wraps the members of objects in lists, as the leaderboard writes them. Undefined if one of them
 * cannot be written as a list.
 */
function wrapMembers(value: JsonValue): JsonValue | undefined {
  if (isMatcher(value)) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(wrapMembers);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isJsonObject(value)) return value;
  const members = mapObject(value, (each) => toAcceptedValues(each));
  return Object.values(members).every((each) => each !== null) ? members : undefined;
}
