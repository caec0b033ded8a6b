import {
  columnRoles,
  mapSettings,
  type ColumnMap,
  type ImportColumns,
} from '../../../../src-shared/contract/suites.ts';
import { roleLabels } from '../../../../src-shared/display/columnRoles.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import { readCalls } from './callValues.ts';
import { pathsIn, valueAt } from './columnPaths.ts';
import {
  areMessages,
  columnsOf,
  findFields,
  plainName,
  quoteNames,
  saysExpectation,
} from './fieldNames.ts';
import { isSequence } from './namePatterns.ts';
import type { SourceRecord } from './recordFields.ts';
import type { FoundRecords } from './suiteDraft.ts';
import { isEmpty } from './values.ts';

const maxColumns = 1000;
const shownRecords = 3;
const maxShownText = 160;
/** Records in which lists of several tools are looked for. */
const examined = 200;

/** The set of columns of a file, by which the map of a person is remembered. */
export const shapeOf = (names: readonly string[]): string =>
  sha256(names.toSorted().join('\0')).slice(0, 32);

/** The columns of records and their roles, as a person sees and changes them. */
export function describeColumns(
  records: readonly SourceRecord[],
  names: readonly string[],
  {
    map,
    given,
    isDeep,
    ...found
  }: { map: ColumnMap; given: ColumnMap; isDeep: boolean } & FoundRecords &
    Pick<ImportColumns, 'isRemembered' | 'shape'>,
): ImportColumns {
  const fields = findFields(names, map);
  const mapped: ColumnMap = {};
  for (const role of columnRoles) {
    const isSaid = role === 'keep' || role === 'ignore' || role === 'conversation';
    const columns = isSaid ? [map[role] ?? []].flat() : fields[role];
    const [only, ...more] = columns ?? [];
    if (only !== undefined) mapped[role] = more.length === 0 ? only : [...(columns ?? [])];
  }
  for (const setting of mapSettings)
    if (given[setting] !== undefined) mapped[setting] = given[setting];
  const used = new Set(columnsOf(mapped));
  // Below columns that are read there is nothing more to choose, as long as cases are found.
  const open = names.filter(
    (name) => isDeep || !used.has(name) || [mapped.keep, mapped.ignore].flat().includes(name),
  );
  const paths = pathsIn(
    records.slice(0, examined).map(({ values }) => values),
    open,
    isDeep ? { depth: 6, paths: 80 } : { depth: 3, paths: 30 },
  );
  const shown = [...new Set([...names, ...paths])].slice(0, maxColumns);
  return {
    names: shown,
    mapped,
    unused: names.filter((name) => name !== '' && !used.has(name)).slice(0, maxColumns),
    samples: records
      .slice(0, shownRecords)
      .map(({ values }) =>
        shown.map((name) => shownText(values.get(name) ?? valueAt(values, name))),
      ),
    allOf: listOfAll(records, fields, given),
    words: wordsIn(records, fields),
    ...found,
  };
}

const maxWords = 60;

/** The words of columns that name one tool, or say whether one is needed: some may mean none. */
function wordsIn(
  records: readonly SourceRecord[],
  fields: ReturnType<typeof findFields>,
): string[] {
  const words = new Set<string>();
  const names = (['no_tool', 'should_call', 'tool', 'expected_calls'] as const).flatMap(
    (field) => fields[field] ?? [],
  );
  for (const { values } of records.slice(0, examined))
    for (const name of names)
      for (const word of [values.get(name) ?? []].flat())
        if (
          typeof word === 'string' &&
          word.trim() !== '' &&
          word.length <= 60 &&
          words.size < maxWords
        )
          words.add(word.trim());
  return [...words];
}

const shownText = (value: JsonValue | undefined): string =>
  value === undefined || value === null
    ? ''
    : (typeof value === 'string' ? value : JSON.stringify(value))
        .slice(0, maxShownText)
        .toWellFormed();

const isOfLists = (value: JsonValue): boolean => Array.isArray(value) && value.some(Array.isArray);

/** The column of expected tools of which any one may be right too, if no person has mapped it. */
function listOfAll(
  records: readonly SourceRecord[],
  fields: ReturnType<typeof findFields>,
  given: ColumnMap,
): string | null {
  if (given.tool !== undefined || given.expected_calls !== undefined) return null;
  const context = { hasServer: false, isKnown: () => false };
  const names = [...(fields.tool ?? []), ...(fields.expected_calls ?? [])].filter((name) => {
    const own = name.slice(name.lastIndexOf('.') + 1);
    return !/required|must|(?<!c)all/.test(plainName(own)) && !isSequence(own);
  });
  const isListOfAll = (value: JsonValue | undefined): boolean => {
    if (value === undefined || isEmpty(value)) return false;
    const read = readCalls(value, context);
    return (
      !('why' in read) &&
      read.calls.length > 1 &&
      (isOfLists(value) ||
        (!read.ordered && read.calls.every(({ parameters }) => parameters === undefined)))
    );
  };
  const found = names.find((name) =>
    records.slice(0, examined).some(({ values }) => isListOfAll(values.get(name))),
  );
  return found ?? null;
}

/** Why no case can be read from records with these names; null if some can. */
export function findMissingColumn(names: readonly string[], map: ColumnMap): string | null {
  const columns = findFields(names, map);
  for (const role of columnRoles)
    for (const mapped of [map[role] ?? []].flat())
      if (!names.includes(mapped))
        return (
          `The file has no column ${JSON.stringify(mapped)} for ${role}. Its columns: ` +
          `${quoteNames(names)}.`
        );
  if (columns.query === undefined && areMessages(names))
    return 'Each of its records is a message of a conversation, not a case. Import the file as a log, or put each request and its expected tool into one record.';
  if (columns.query === undefined)
    return `Which column has the query? Choose one of ${quoteNames(names)}.`;
  if (saysExpectation(columns) || columns.answer !== undefined) return null;
  const others = names.filter((name) => columns.query?.includes(name) !== true);
  return others.every((name) => ofChats.test(plainName(name)))
    ? 'It’s a set of requests or chats without tools, such as a fine-tuning set: nothing says which tool is expected. Import it as a log and review what it proposes, or add a column with the expected tool, or a file of answers with the same IDs.'
    : `Which column has the expected tool? Choose one of ${quoteNames(names)}.${answersIn(others)}`;
}

/** What to do with a column of right answers, which can be checked without a tool. */
function answersIn(names: readonly string[]): string {
  const found = names.find((name) =>
    /^(?:expected|reference|ideal|golden|correct|target)?(?:output|response|ideal)s?$|^(?:expectedoutput|completion|reference)$/.test(
      plainName(name),
    ),
  );
  return found === undefined
    ? ''
    : ` ${JSON.stringify(found)} may be a right answer: as “${roleLabels.answer}” (answer), it is checked by a task.`;
}

/** What records of chats and of answers have besides the request. */
const ofChats =
  /^(?:id|messages|system(?:prompt)?|instruction|input|outputs?|completion|response|chosen|rejected|reply|text|source|tags?|weight)$/;
