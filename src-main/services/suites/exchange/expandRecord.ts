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
import { findFields, noMap, plainName } from './fieldNames.ts';
import { flattenRecord } from './flattenRecord.ts';
import type { Change } from './suiteDraft.ts';
import { isEmpty, nonEmptyText } from './values.ts';

/** A record in plain fields, with what was understood of it in a way that is worth saying. */
export interface ExpandedRecord {
  value: JsonObject;
  changes: Change[];
}

/** Where programs keep a conversation whose last message of the user is the query. */
const conversationNames: ReadonlySet<string> = new Set([
  'messages',
  'conversation',
  'conversations',
  'dialog',
  'dialogue',
  'chat',
  'contents',
  'turns',
  'input',
  'inputs',
  'prompt',
  'userinput',
  'usermessage',
  'question',
  'request',
  'query',
]);
const offeredNames: ReadonlySet<string> = new Set(['tools', 'functions', 'availabletools']);

/**
 * Turns records that hold a conversation into records of a query, its earlier messages and calls.
 * Every other record stays as it is.
 *
 * @param expects whether the record says in a field of its own what is expected
 */
export function expandRecord(
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
  if (after.length === 0 || expects(record)) return [{ value: plain, changes }];
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
    if (!conversationNames.has(plainName(name))) continue;
    const messages = readMessages(value);
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
  isJsonObject(content) && Array.isArray(content['parts'])
    ? content['parts']
        .flatMap((part) =>
          isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
        )
        .join('\n')
    : '';

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
    const calls = Array.isArray(used) ? used.filter(isJsonObject) : null;
    expanded.push({
      value: {
        ...rest,
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
