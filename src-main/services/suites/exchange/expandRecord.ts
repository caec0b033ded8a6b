import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import {
  readMessages,
  splitAtLastQuery,
  systemOf,
  toPriorMessages,
  type ChatMessage,
} from './chatMessages.ts';
import { findFields, namesTool, noMap, plainName } from './fieldNames.ts';
import { filledTemplates } from './filledTemplates.ts';
import { turnLists } from './fieldNameTable.ts';
import { flattenRecord } from './flattenRecord.ts';
import { namesArguments, namesTurns } from './namePatterns.ts';
import { bothKinds, isRequestList, isTurnList, turnsOf } from './plainRecords.ts';
import type { Change } from './suiteDraft.ts';
import { withToolKeys } from './toolKeys.ts';
import { withTypedChecks, type ExpandedRecord } from './typedChecks.ts';
import { withTextTurns } from './textTurns.ts';
import { transcriptMessages } from './transcripts.ts';
import { isEmpty, nonEmptyText } from './values.ts';

/** Where programs keep a conversation whose last message of the user is the query. */
const conversationNames: ReadonlySet<string> = new Set([
  ...turnLists,
  'messages',
  'inputmessages',
  'usermessages',
  'conversations',
  'chat',
  'transcript',
  'contents',
  'input',
  'inputs',
  'prompt',
  'userinput',
  'usermessage',
  'question',
  'request',
  'query',
]);
/** Whether a field of this name can hold a conversation that is right from its query to its end. */
export const isConversation = (name: string): boolean =>
  conversationNames.has(plainName(name)) || trajectoryNames.has(plainName(name));
const offeredNames: ReadonlySet<string> = new Set(['tools', 'functions', 'availabletools']);

/**
 * Turns records that hold a conversation into records of a query, its earlier messages and calls.
 * Every other record stays as it is.
 *
 * @param expects whether the record says in a field of its own what is expected
 */
export function expandRecord(
  given: JsonObject,
  expects: (record: JsonObject) => boolean,
): ExpandedRecord[] {
  const filled = filledTemplates(given);
  if (filled !== null) return filled.flatMap((each) => expandRecord(each, expects));
  const several = severalRequests(given);
  if (several !== null) return several.flatMap((each) => expandRecord(each, expects));
  const turns = asks(given) ? null : withTextTurns(given);
  if (turns !== null) return turns;
  const { value: record, changes: first } = withTypedChecks(
    withTrajectory(withSteps(withToolKeys(unwrapItem(given)))),
  );
  const expanded = expandConversation(record, expects);
  return first.length === 0
    ? expanded
    : expanded.map(({ value, changes }) => ({ value, changes: [...first, ...changes] }));
}

/**
 * The record once for each of its requests, such as `{tool, queries: […]}`, or
 * `{tool, positive: […], negative: […]}`; null if it has no such list.
 */
function severalRequests(record: JsonObject): JsonObject[] | null {
  const both = asks(record) ? null : bothKinds(record);
  if (both !== null && findFields([...flattenRecord(both.rest).keys()], noMap).tool !== undefined)
    return both.requests.map(({ value, isNegative }) => ({
      ...both.rest,
      ...(isJsonObject(value) ? value : { query: value }),
      // Which other tool is right for them, if any, nothing says.
      ...(isNegative && { should_call: false }),
    }));
  const found = Object.entries(record).find(
    ([name, value]) => isRequestList(name) && textsIn(value) !== null,
  );
  if (found === undefined || asks(record)) return null;
  const { [found[0]]: _taken, ...rest } = record;
  return (textsIn(found[1]) ?? []).map((query) => ({ ...rest, query }));
}

/** The turns of a record that are records themselves, each with what is asked in it; or the record. */
export function recordsOfTurns(record: JsonObject): ExpandedRecord[] {
  if (asks(record)) return [{ value: record, changes: [] }];
  for (const [name, list] of Object.entries(record)) {
    if (!Array.isArray(list) || list.length === 0 || readMessages(list) !== null) continue;
    if (!list.every((each): each is JsonObject => isJsonObject(each) && asks(each))) continue;
    const turns =
      list.length === 1 ? list.map((value) => ({ value, changes: [] })) : turnsOf(name, list);
    if (turns === null || !isTurnList(name)) continue;
    const { [name]: _taken, id = null, ...rest } = record;
    return turns.map(({ value, changes }, at) => ({
      value: {
        ...rest,
        ...(typeof id === 'string' && { id: turns.length === 1 ? id : `${id}-${at + 1}` }),
        ...value,
      },
      changes: [...changes],
    }));
  }
  return [{ value: record, changes: [] }];
}

/** A step that is named an action is a call only with its arguments. */
const isAction = (step: JsonObject): boolean =>
  typeof step['action'] === 'string' &&
  Object.entries(step).some(([name, value]) => namesArguments(name) && isJsonObject(value));

/** Steps that are all calls say what is expected of the request next to them. */
function withSteps(record: JsonObject): JsonObject {
  const { steps, ...rest } = record;
  const areCalls =
    Array.isArray(steps) &&
    steps.length > 0 &&
    steps.every((each) => isJsonObject(each) && (namesTool(each) || isAction(each)));
  return areCalls && asksAnything(rest)
    ? { ...rest, expected_calls: steps, ...(steps.length > 1 && { order_dependent: true }) }
    : record;
}

/** The texts of a list, or of an object that names each, `{clear: "…", vague: "…"}`. */
function textsIn(value: JsonValue): string[] | null {
  const texts = isJsonObject(value) ? Object.values(value) : value;
  return Array.isArray(texts) &&
    texts.length > 0 &&
    texts.every((each): each is string => typeof each === 'string' && each.trim() !== '')
    ? texts
    : null;
}

/**
 * An item of a data source of OpenAI’s evals API, `{item: {…}}` with a sample once it was run, or a
 * record below the word for it, `{case: {…}}`, also with a number or a name beside it.
 */
function unwrapItem(record: JsonObject): JsonObject {
  const { sample: _run, ...rest } = record;
  const wrapped = Object.entries(rest).filter(
    ([name, value]) =>
      isJsonObject(value) &&
      /^(?:item|case|test|testcase|evalcase|example|entry|record|scenario|data|row)$/.test(
        plainName(name),
      ),
  );
  const [only, ...more] = wrapped;
  if (only === undefined || more.length > 0 || !isJsonObject(only[1])) return record;
  const { [only[0]]: _taken, ...around } = rest;
  if (Object.keys(around).length === 0) return only[1];
  // Beside it there may be a number, a name or tags.
  return asksAnything(around) || !asksAnything(only[1]) ? record : { ...around, ...only[1] };
}

/** Where programs keep a conversation that is right from its query to its end. */
const trajectoryNames: ReadonlySet<string> = new Set(
  (
    'referenceoutputs referencetrajectory reference expectedtrajectory expectedoutputs ' +
    'expectedoutput expectedmessages expected outputs trajectory'
  ).split(' '),
);

/** The calls of a reference trajectory: agentevals (https://github.com/langchain-ai/agentevals), LangSmith. */
function withTrajectory(record: JsonObject): ExpandedRecord {
  for (const [name, value] of Object.entries(record)) {
    if (!trajectoryNames.has(plainName(name))) continue;
    const messages = readMessages(isJsonObject(value) ? value['messages'] : value);
    if (messages?.some(({ role }) => role === 'assistant') !== true) continue;
    const split = splitAtLastQuery(messages);
    const after = split?.after ?? messages;
    const calls = after.flatMap((message) => message.calls);
    const rounds = after.filter((message) => message.calls.length > 0).length;
    const { [name]: _taken, ...rest } = record;
    return {
      value: {
        ...rest,
        ...(split !== null && !asksAnything(rest) && { query: split.query }),
        expected_calls: calls,
        ...(rounds > 1 && { order_dependent: true }),
      },
      changes:
        calls.length > 0
          ? []
          : [{ what: name, why: 'It is a conversation without calls: no tool is expected.' }],
    };
  }
  return { value: record, changes: [] };
}

const asksAnything = (record: JsonObject): boolean =>
  asks(record) || findConversation(record) !== null;

/** A record that holds a conversation, as its query, its earlier messages and calls. */
function expandConversation(
  record: JsonObject,
  expects: (record: JsonObject) => boolean,
): ExpandedRecord[] {
  const set = evaluationSet(record);
  if (set !== null) return set;
  // Beside a query, a conversation is what was said before.
  const found = asks(record) ? null : findConversation(record);
  if (found === null) return [{ value: record, changes: [] }];
  const { name, messages, rest } = found;
  const split = splitAtLastQuery(messages);
  if (split === null) return [{ value: record, changes: [] }];
  const { before, query, after } = split;
  const prior = toPriorMessages(before);
  const system = systemOf(messages);
  const plain: JsonObject = {
    ...rest,
    query,
    ...(prior.length > 0 && { messages: prior }),
    ...(system !== null && { system }),
  };
  const changes: Change[] = [];
  if (before.some(({ calls, role }) => calls.length > 0 || role === 'result'))
    changes.push({
      what: name,
      why: 'Earlier calls and their results became words of the assistant.',
    });
  // A conversation that ends with a result says what was done, and what is right comes after it.
  const isOpen = after.at(-1)?.role === 'result';
  if (after.length === 0 || isOpen || expects(record)) return [{ value: plain, changes }];
  const calls = after.flatMap((message) => message.calls);
  const isAboutTools =
    messages.some((message) => message.calls.length > 0) ||
    Object.entries(record).some(
      ([key, value]) => offeredNames.has(plainName(key)) && !isEmpty(value),
    );
  if (!isAboutTools) return [{ value: plain, changes }];
  const rounds = after.filter((message) => message.calls.length > 0).length;
  return [
    {
      value: { ...plain, expected_calls: calls, ...(rounds > 1 && { order_dependent: true }) },
      changes: [
        ...changes,
        {
          what: name,
          why: 'What the assistant does after the last query is taken as what is right.',
        },
      ],
    },
  ];
}

function asks(record: JsonObject): boolean {
  const values = flattenRecord(record);
  const names = findFields([...values.keys()], noMap).query ?? [];
  return names.some((name) => nonEmptyText(values.get(name)) !== null);
}

interface Conversation {
  name: string;
  messages: ChatMessage[];
  rest: JsonObject;
}

/** The conversation of a record, in a field of its own or in an object such as `inputs`. */
function findConversation(record: JsonObject): Conversation | null {
  for (const [name, value] of Object.entries(record)) {
    if (!conversationNames.has(plainName(name)) && !namesTurns(name)) continue;
    const messages = readMessages(
      typeof value === 'string' ? (transcriptMessages(value) ?? undefined) : value,
    );
    if (messages !== null) {
      const { [name]: _taken, ...rest } = record;
      return { name, messages, rest };
    }
    if (!isJsonObject(value)) continue;
    const inner = findConversation(value);
    if (inner === null) continue;
    const { [name]: _taken, ...rest } = record;
    return {
      ...inner,
      name: `${name}.${inner.name}`,
      rest: { ...rest, ...(Object.keys(inner.rest).length > 0 && { [name]: inner.rest }) },
    };
  }
  return null;
}

/** A text in the parts of a message of Gemini. */
const textOf = (content: JsonValue | undefined): string =>
  typeof content === 'string'
    ? content
    : isJsonObject(content) && typeof content['text'] === 'string'
      ? content['text']
      : partsOf(content);
const partsOf = (content: JsonValue | undefined): string =>
  isJsonObject(content) && Array.isArray(content['parts'])
    ? content['parts']
        .flatMap((part) =>
          isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
        )
        .join('\n')
    : '';

/** The calls in the events of an invocation, as newer versions keep them. */
function calledIn(data: JsonValue | undefined): JsonObject[] | null {
  const events = isJsonObject(data ?? null)
    ? ((data as JsonObject)['invocation_events'] ?? (data as JsonObject)['invocationEvents'])
    : undefined;
  if (!Array.isArray(events)) return null;
  return events
    .filter(isJsonObject)
    .map(({ content }) => (isJsonObject(content ?? null) ? (content as JsonObject)['parts'] : null))
    .flatMap((parts) => (Array.isArray(parts) ? parts.filter(isJsonObject) : []))
    .map((part) => part['function_call'] ?? part['functionCall'])
    .filter((call) => isJsonObject(call ?? null)) as JsonObject[];
}

/** What an invocation of such a set has; everything else a person has added, such as its tools. */
const ofInvocation =
  /^(?:usercontent|finalresponse|intermediatedata|invocationid|creationtimestamp|rubrics|appdetails)$/;

/**
 * A case of an evaluation set of Google's Agent Development Kit: each turn of its conversation is a
 * record of its own. Its default criterion compares the calls in order
 * (https://google.github.io/adk-docs/evaluate/).
 */
function evaluationSet(record: JsonObject): ExpandedRecord[] | null {
  const turns = record['conversation'];
  if (!Array.isArray(turns) || turns.length === 0) return null;
  const { conversation: _turns, eval_id: snake, evalId: camel = snake, ...rest } = record;
  const id = typeof camel === 'string' ? camel : null;
  const expanded: ExpandedRecord[] = [];
  const said: { role: string; content: string }[] = [];
  for (const [at, turn] of turns.entries()) {
    if (!isJsonObject(turn)) return null;
    const asked = textOf(turn['user_content'] ?? turn['userContent']);
    if (asked === '') return null;
    const data = turn['intermediate_data'] ?? turn['intermediateData'];
    const used = isJsonObject(data) ? (data['tool_uses'] ?? data['toolUses']) : undefined;
    const calls = Array.isArray(used) ? used.filter(isJsonObject) : calledIn(data);
    const own = Object.entries(turn).filter(([name]) => !ofInvocation.test(plainName(name)));
    expanded.push({
      value: {
        ...rest,
        ...Object.fromEntries(own),
        ...(id !== null && { id: turns.length === 1 ? id : `${id}-${at + 1}` }),
        query: asked,
        ...(said.length > 0 && { messages: said.map((message) => ({ ...message })) }),
        ...(calls !== null && {
          expected_calls: calls.map(({ name = null, args = {} }) => ({ name, args })),
          ...(calls.length > 1 && { order_dependent: true }),
        }),
      },
      changes:
        said.length === 0
          ? []
          : [
              {
                what: 'conversation',
                why: 'Each of its turns is a case, after the turns before it.',
              },
            ],
    });
    const did = (calls ?? []).map(
      ({ name = '', args = {} }) =>
        `(called ${typeof name === 'string' ? name : ''} ${JSON.stringify(args)})`,
    );
    const answer = textOf(turn['final_response'] ?? turn['finalResponse']);
    const reply = [...did, answer].filter((part) => part !== '').join(' ');
    said.push({ role: 'user', content: asked });
    if (reply !== '') said.push({ role: 'assistant', content: reply });
  }
  return expanded;
}
