import type { ColumnMap, MappedField } from '../../../../src-shared/contract/suites.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { readExpectation } from './caseExpectation.ts';
import { historyNames, plainName, unreadChanges } from './fieldNames.ts';
import { RecordFields, type SourceRecord } from './recordFields.ts';
import { shortName, type Change, type DraftCase, type SuiteDraft } from './suiteDraft.ts';
import { toFileChecks } from './taskChecks.ts';
import { isEmpty, nonEmptyText } from './values.ts';

/**
 * Adds the case that a record describes, or a task if it only says what must not be called. A record
 * whose expectation can't be read is skipped with the reason, and every field that isn't read is
 * named, so that a case is exact only if all of its record was understood.
 */
export function addRecord(
  draft: SuiteDraft,
  record: SourceRecord,
  map: ColumnMap,
  server: string | null,
): void {
  const fields = new RecordFields(draft, record, map);
  const id = fields.take('id');
  const sourceId = typeof id === 'number' ? String(id) : nonEmptyText(id);
  const skip = (why: string, field?: MappedField): void =>
    draft.skip(
      sourceId === null ? record.label : `${record.label} (${sourceId})`,
      why,
      field === undefined ? record.where() : fields.where(field),
    );
  const asked = readQuery(fields.take('query'));
  if ('why' in asked) return skip(asked.why, 'query');
  const { query } = asked;
  const history = [...record.values].find(
    ([name, value]) => historyNames.has(plainName(name)) && !isEmpty(value),
  );
  if (history !== undefined)
    return skip(`It has earlier messages (${history[0]}), and a case has one query.`);
  const before = draft.problems.length;
  const name = nonEmptyText(fields.take('name')) ?? sourceId ?? shortName(query);
  const tags = fields.takeTexts('tags');
  const servers = fields.takeTexts('servers');
  const stubResults = readStubResults(fields);
  const expected = readExpectation(draft, fields, server);
  if (draft.problems.length > before) return;
  if ('why' in expected) return skip(expected.why, expected.field);
  const unread = unreadChanges(Object.fromEntries(fields.unread().map((each) => [each, true])), []);
  const shared = {
    sourceId,
    name,
    tags,
    changes: [...asked.changes, ...expected.changes, ...unread],
    where: fields.where('query'),
  };
  if (expected.kind === 'calls') {
    const { calls, orderDependent, allowedCalls, argumentsMode } = expected;
    return draft.add({
      ...shared,
      query,
      servers,
      calls,
      orderDependent,
      argumentsMode,
      allowedCalls,
      stubResults,
    });
  }
  const owners = [...new Set(expected.tools.map((tool) => tool.server))];
  const never = expected.tools.map(({ server: owner, tool }) =>
    owners.length === 1 ? tool : `${owner}:${tool}`,
  );
  return draft.addTask({
    ...shared,
    turns: [query],
    servers: servers.length > 0 ? servers : owners,
    checks: toFileChecks({ must: [], never, texts: [] }),
  });
}

/** A text, or the only message of a list that is from a user. */
function readQuery(
  value: JsonValue | undefined,
): { query: string; changes: Change[] } | { why: string } {
  const messages = isJsonObject(value) ? [value] : value;
  if (!Array.isArray(messages)) {
    const query = nonEmptyText(messages);
    return query === null ? { why: 'It has no query.' } : { query, changes: [] };
  }
  const objects = messages.filter(isJsonObject);
  const asked = objects.filter(({ role }) => role === 'user');
  const query = asked.length === 1 ? nonEmptyText(asked[0]?.['content']) : null;
  if (query === null) return { why: 'Its query isn’t a text or one message of a user.' };
  const isOther = ({ role }: { role?: JsonValue }): boolean => role !== 'user' && role !== 'system';
  if (objects.length < messages.length || objects.some(isOther))
    return {
      why:
        'It has messages other than the query. A case has one query, and nothing says whether an ' +
        'answer in them is right.',
    };
  const isSystem = objects.some(({ role }) => role === 'system');
  return {
    query,
    changes: isSystem
      ? [{ what: 'Message of the system', why: 'Not imported. Only a suite has a system prompt.' }]
      : [],
  };
}

function readStubResults(fields: RecordFields): NonNullable<DraftCase['stubResults']> {
  const value = fields.takeStructured('stub_results');
  if (isEmpty(value)) return [];
  if (!Array.isArray(value)) {
    fields.problem('stub_results', 'stub_results must be a list.');
    return [];
  }
  // Their shape is checked later, with the whole suite.
  return value as NonNullable<DraftCase['stubResults']>;
}
