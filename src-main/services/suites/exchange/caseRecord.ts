import { formatCount } from '../../../../src-shared/display/numbers.ts';
import type { ColumnMap, MappedField } from '../../../../src-shared/contract/suites.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { readMessages, systemOf, toPriorMessages, type ChatMessage } from './chatMessages.ts';
import { readExpectation } from './caseExpectation.ts';
import { columnsOf, plainName, quoteNames, unreadChanges } from './fieldNames.ts';
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
  {
    given,
    none,
    server,
    answersOnly,
  }: {
    given: ColumnMap;
    none: ReadonlySet<string>;
    server: string | null;
    answersOnly: boolean;
  },
): void {
  const fields = new RecordFields(draft, record, map, { given, none });
  const id = fields.take('id');
  const sourceId = typeof id === 'number' ? String(id) : nonEmptyText(id);
  const skip = (why: string, field?: MappedField): void =>
    draft.skip(
      sourceId === null ? record.label : `${record.label} (${sourceId})`,
      why,
      field === undefined ? record.where() : fields.where(field),
    );
  const asked = nonEmptyText(fields.take('query'));
  if (asked === null) return skip('It has no query.', 'query');
  const query = asked;
  const prompt = readPrompt(fields, query);
  if ('why' in prompt) return skip(prompt.why, prompt.field);
  const before = draft.problems.length;
  const named = sourceId !== null && /\D/.test(sourceId) ? sourceId : shortName(query);
  const name = nonEmptyText(fields.take('name')) ?? named;
  const tags = fields.takeTags();
  const servers = fields.takeTexts('servers');
  const note = fields.takeNote();
  const stubResults = readStubResults(fields);
  const known = server ?? record.server ?? null;
  const expected = readExpectation(draft, fields, known);
  if (draft.problems.length > before) return;
  const answer = 'why' in expected && answersOnly ? readAnswer(fields) : null;
  if ('why' in expected && answer === null) {
    const long = answersOnly ? nonEmptyText(fields.peek('answer')) : null;
    return long === null
      ? skip(expected.why, expected.field)
      : skip(
          `It names no tool, and its right answer (${fields.nameOf('answer')}) is a text of ${formatCount(long.length)} characters, which an answer would have to contain. Shorten it to ${maxAnswer} characters, name the expected tool, or choose the column as the right answer: then a judge compares it.`,
          'answer',
        );
  }
  const unread = unreadChanges(
    Object.fromEntries(fields.unread().map((each) => [each, true])),
    [],
  ).map(({ what, why }) => {
    const parts = columnsOf(given).filter(
      (path) => path.startsWith(`${what}.`) || path.startsWith(`${what}[`),
    );
    return { what, why: parts.length === 0 ? why : `Only ${quoteNames(parts)} of it is read.` };
  });
  const changes = [
    ...(record.changes ?? []),
    ...prompt.changes,
    ...guessedChanges(draft, expected, { map, given }),
  ];
  const shared = {
    sourceId,
    name,
    tags,
    changes: [...changes, ...('why' in expected ? [] : expected.changes), ...unread],
    where: () => fields.where('query'),
  };
  if ('why' in expected)
    return draft.addTask({
      ...shared,
      changes: [
        ...shared.changes,
        {
          what: fields.nameOf('answer') ?? 'answer',
          why:
            answer?.isForJudge === true
              ? 'It names no tool and says in words what is right, so it becomes a task for a judge.'
              : 'It names no tool, so it becomes a task whose answer must contain this text.',
        },
      ],
      turns: [query],
      servers: servers.length > 0 ? servers : [known ?? draft.assumeServer()],
      checks:
        answer?.isForJudge === true
          ? [{ judge: answer.text }]
          : toFileChecks({ must: [], never: [], texts: [answer?.text ?? ''] }),
    });
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
      ...prompt.own,
      note,
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

/** What was read by the values of a field alone, where no registered server confirms it. */
function guessedChanges(
  draft: SuiteDraft,
  expected: ReturnType<typeof readExpectation>,
  { map, given }: { map: ColumnMap; given: ColumnMap },
): Change[] {
  if ('why' in expected) return [];
  const isGuessed = (field: MappedField): boolean =>
    given[field] === undefined && map[field] !== undefined;
  const areKnown =
    expected.kind === 'calls' &&
    expected.calls.every((call) =>
      ('any_of' in call ? call.any_of : [call]).every((each) =>
        draft.knowsTool(each.server, each.tool),
      ),
    );
  const whys: Partial<Record<MappedField, string>> = {
    ...(!areKnown && {
      tool: 'By its values it is read as the expected tool. No registered server has it.',
      expected_calls:
        'By its values it is read as the expected tools. No registered server has them.',
    }),
    should_call: 'By its values it is read as whether the tool should be called.',
  };
  return (Object.keys(whys) as MappedField[])
    .filter(isGuessed)
    .map((field) => ({ what: [map[field] ?? []].flat().join(', '), why: whys[field] ?? '' }));
}

interface OwnPrompt {
  own: Pick<DraftCase, 'system' | 'messages'>;
  changes: Change[];
}

/** What the record says before its query: a system prompt, messages, and what the user said. */
function readPrompt(
  fields: RecordFields,
  query: string,
): OwnPrompt | { why: string; field: MappedField } {
  const changes: Change[] = [];
  const given = fields.takeStructured('messages');
  const messages: ChatMessage[] = isEmpty(given) ? [] : (readHistory(given) ?? []);
  if (messages.length === 0 && !isEmpty(given))
    return { why: `${fields.nameOf('messages')} isn’t a list of messages.`, field: 'messages' };
  // Some programs repeat the query as the last message.
  const last = messages.at(-1);
  if (last?.role === 'user' && last.text.trim() === query.trim()) messages.pop();
  const prior = toPriorMessages(messages);
  const said = fields.take('context');
  const context = Array.isArray(said)
    ? said.filter((each) => typeof each === 'string').join('\n')
    : nonEmptyText(said);
  if (context !== null && context !== '') {
    prior.unshift({ role: 'user', content: context });
    changes.push({
      what: fields.nameOf('context') ?? 'context',
      why: 'It is read as a message of the user before the query.',
    });
  }
  const system = nonEmptyText(fields.take('system')) ?? systemOf(messages);
  return {
    own: {
      ...(prior.length > 0 && { messages: prior }),
      ...(system !== null && { system }),
    },
    changes,
  };
}

/** Messages in any notation, or texts that the user and the assistant say in turn. */
function readHistory(value: JsonValue | undefined): ChatMessage[] | null {
  const messages = readMessages(value);
  if (messages !== null) return messages;
  const texts = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(texts) || texts.some((each) => typeof each !== 'string')) return null;
  return texts
    .filter((each) => typeof each === 'string')
    .map((text, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', text, calls: [] }));
}

/** Names of texts that say what a right answer is like, and aren't in it. */
const forJudges = /result|outcome|behavior|criteria|rubric/;

/** A right answer that a text can be searched for, or one for a judge: a long one if a person chose it. */
function readAnswer(fields: RecordFields): { text: string; isForJudge: boolean } | null {
  const value = fields.peek('answer');
  const text = typeof value === 'number' ? String(value) : nonEmptyText(value);
  const isForJudge =
    forJudges.test(plainName(fields.nameOf('answer') ?? '')) ||
    (fields.isMapped('answer') && text !== null && text.length > maxAnswer);
  if (text === null || (text.length > maxAnswer && !isForJudge)) return null;
  fields.take('answer');
  return { text: text.trim(), isForJudge };
}
const maxAnswer = 100;

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
