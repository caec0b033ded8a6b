import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { areMessages, findFields, noMap, plainName, saysExpectation } from './fieldNames.ts';
import { toRecords, type Records } from './readRecords.ts';
import { turnsAlone } from './plainRecords.ts';
import { withValues, type SourceRecord } from './recordFields.ts';
import { isEmpty, keyText, nonEmptyText } from './values.ts';

const ofMessage: ReadonlySet<string> = new Set(
  'role content text message toolcalls toolcallid name toolname'.split(' '),
);
const conversationNames = 'conversationid dialogueid dialogid threadid chatid sessionid'.split(' ');
/** Names of the place of a record in its conversation. */
const turnName = /^(?:turn|turnid|turnindex|turnnumber|turnno|step|stepindex|messageindex|seq)$/;

const named = (names: readonly string[], ...plain: string[]): string | undefined =>
  plain.flatMap((each) => names.filter((name) => plainName(name) === each))[0];

/** The column by whose value records belong to one conversation; null if each stands alone. */
export function conversationColumn(names: readonly string[], map: ColumnMap): string | null {
  const [said] = [map.conversation ?? []].flat();
  if (said !== undefined) return said;
  const found = named(names, ...conversationNames);
  const isOfTurns = areMessages(names) || names.some((name) => turnName.test(plainName(name)));
  return found !== undefined && isOfTurns ? found : null;
}

/**
 * Records of which each is one turn, or one message, of the conversation whose id it has, as records of
 * their own: with what was said before it, or with the whole conversation. All others stay as they are.
 */
export function ofConversations(
  records: Records,
  names: readonly string[],
  column: string,
  map: ColumnMap,
): Records {
  return areMessages(names)
    ? joinMessages(records, names, column)
    : withTurnsBefore(records, column, map);
}

/** Each request after those that its conversation has before it. */
const withTurnsBefore =
  (records: Records, column: string, map: ColumnMap): Records =>
  (sink, visit) => {
    const said = new Map<string, { role: string; content: string }[]>();
    records(sink, (record) => {
      const fields = findFields([...record.values.keys()], map);
      const id = keyText(record.values.get(column));
      const query = (fields.query ?? [])
        .map((name) => nonEmptyText(record.values.get(name)))
        .find((text) => text !== null);
      const hasOwn = (fields.messages ?? []).some((name) => !isEmpty(record.values.get(name)));
      if (id === null || query == null || hasOwn) return visit(record);
      const before = said.get(id) ?? [];
      said.set(id, [...before, { role: 'user', content: query }]);
      const values = new Map(record.values);
      values.delete(column);
      for (const name of values.keys()) if (turnName.test(plainName(name))) values.delete(name);
      if (before.length > 0)
        values.set(
          'messages',
          before.map((each) => ({ ...each })),
        );
      visit(
        before.length === 0
          ? withValues(record, values)
          : withValues(record, values, [{ what: column, why: turnsAlone }]),
      );
    });
  };

/** The messages of each conversation as one record; one for each request that says what is expected. */
const joinMessages =
  (records: Records, names: readonly string[], column: string): Records =>
  (sink, visit) => {
    const role = named(names, 'role') ?? 'role';
    const content = named(names, 'content', 'text', 'message') ?? 'content';
    const open = new Map<
      string,
      { first: SourceRecord; messages: JsonObject[]; isRead: boolean }
    >();
    const give = (value: JsonObject, record: SourceRecord): void => {
      const { isTable, tags = [] } = record;
      const where: SourceRecord['where'] = (name) => record.where(name);
      for (const each of toRecords(value, { label: () => record.label, where, isTable, tags }))
        visit(each);
    };
    records(sink, (record) => {
      const id = keyText(record.values.get(column)) ?? '';
      const talk = open.get(id) ?? { first: record, messages: [], isRead: false };
      open.set(id, talk);
      const own: JsonObject = {};
      const about: JsonObject = {};
      for (const [name, value] of record.values)
        if (name !== column && !turnName.test(plainName(name)) && !isEmpty(value))
          (ofMessage.has(plainName(name)) ? own : about)[name] = value;
      const isRequest = /^(?:user|human)$/i.test(nonEmptyText(own[role]) ?? '');
      const asked = nonEmptyText(own[content]);
      if (isRequest && asked !== null && saysExpectation(findFields(Object.keys(about), noMap))) {
        talk.isRead = true;
        give(
          {
            ...about,
            query: asked,
            ...(talk.messages.length > 0 && { messages: talk.messages.map(plainMessage) }),
          },
          record,
        );
      }
      talk.messages.push(messageOf(own, role, content));
    });
    for (const [id, { first, messages, isRead }] of open)
      if (!isRead) give({ id, messages }, first);
  };

const messageOf = (own: JsonObject, role: string, content: string): JsonObject => ({
  ...own,
  role: own[role] ?? null,
  content: own[content] ?? '',
});

const plainMessage = (message: JsonObject): JsonValue => ({ ...message });
