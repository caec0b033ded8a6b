import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { addRecord } from './caseRecord.ts';
import { describeColumns, findMissingColumn, shapeOf } from './columns.ts';
import { valueAt } from './columnPaths.ts';
import { conversationColumn, ofConversations } from './conversationRecords.ts';
import { columnsOf, findFields, plainName, saysExpectation } from './fieldNames.ts';
import { guessByValues } from './guessByValues.ts';
import { withValues, type SourceRecord } from './recordFields.ts';
import { noSettings, type Records, type RecordSettings, type RecordSink } from './readRecords.ts';
import { SuiteDraft } from './suiteDraft.ts';
import { findToolColumns, joinedNames, joinToolColumns } from './toolColumns.ts';
import { readBoolean } from './values.ts';

const version = 2;

/** Records whose values are looked at. Those of a text that has no more are read once. */
const examined = 200;

/** What was said already is not said again. */
const silent = (): RecordSink => ({
  problem: () => undefined,
  skip: () => undefined,
  leaveField: () => undefined,
  found: { lists: [], list: null, hasHeader: null },
  name: null,
});

const saysWhere = ({ list, header }: ColumnMap): boolean =>
  list !== undefined || header !== undefined;

/** Where a map says that the records are. */
const settingsOf = ({ list, header }: ColumnMap): RecordSettings => {
  const [chosen = null] = [list ?? []].flat();
  const [said] = [header ?? []].flat();
  return { list: chosen, hasHeader: said === undefined ? null : readBoolean(said) };
};

/**
 * The columns of a table with a list that is empty, or with objects, whose members are named
 * `column.member`: there an empty cell says nothing.
 */
function columnsWithNone(records: readonly SourceRecord[]): ReadonlySet<string> {
  const none = new Set<string>();
  for (const { isTable, values } of records) {
    if (!isTable) continue;
    for (const [name, value] of values) {
      const at = name.indexOf('.');
      if (at > 0) none.add(name.slice(0, at));
      if (typeof value === 'string' && /^\s*\[\s*\]\s*$/.test(value)) none.add(name);
    }
  }
  return none;
}

/** Records of a text, with their names and the first of them. */
interface Seen {
  records: Records;
  names: string[];
  first: SourceRecord[];
  count: number;
}

function look(records: Records, sink: RecordSink, onRecord?: (count: number) => void): Seen {
  const names = new Set<string>();
  const first: SourceRecord[] = [];
  let count = 0;
  records(sink, (record) => {
    for (const name of record.values.keys()) names.add(name);
    if ((count += 1) <= examined) first.push(record);
    onRecord?.(count);
  });
  return { records, names: [...names], first, count };
}

/**
 * Reads a suite of records with named fields. Which field holds what is told by a person's map, else
 * by the map of an earlier import of the same columns, else by its name, else by its values. The
 * records are visited twice, once for all names, and are never kept.
 */
export function readRecordSuite(
  format: ForeignFormat,
  text: string,
  options: ReadOptions,
  recordsOf: (draft: SuiteDraft, settings: RecordSettings) => Records,
): ReadCases {
  const draft = new SuiteDraft(format, version, text, options);
  const ofTools = ({ first, names }: Seen, map: ColumnMap) =>
    findToolColumns(first, names, { map, catalog: draft.catalog });
  const shapeOfSeen = (seen: Seen): string => shapeOf(joinedNames(seen.names, ofTools(seen, {})));
  // A map that says where the records are is remembered by what they are without it.
  const maps = options.map === null ? Object.values(options.remembered ?? {}) : [options.map];
  const plainShape = maps.some(saysWhere)
    ? shapeOfSeen(look(recordsOf(draft, noSettings), silent()))
    : null;
  const known = (shape: string): ColumnMap | undefined =>
    options.map === null ? options.remembered?.[shape] : undefined;
  const early = options.map ?? (plainShape === null ? undefined : known(plainShape)) ?? {};
  const raw = look(recordsOf(draft, settingsOf(early)), draft, (count) => draft.advance(count));
  const shape = plainShape ?? shapeOfSeen(raw);
  const remembered = known(shape);
  const given: ColumnMap = options.map ?? remembered ?? {};
  draft.noneWords = new Set([given.none ?? []].flat().map(plainName));
  const conversation = conversationColumn(raw.names, given);
  const seen =
    conversation === null
      ? raw
      : look(ofConversations(raw.records, raw.names, conversation, given), silent());
  const toolColumns = ofTools(seen, given);
  const paths = columnsOf(given).filter((name) => !seen.names.includes(name));
  const plain = (record: SourceRecord): SourceRecord[] =>
    eachRequest(withPaths(joinToolColumns(record, toolColumns), paths), given);
  const shown = seen.first.flatMap(plain);
  const all = [
    ...new Set([
      ...joinedNames(seen.names, toolColumns),
      ...paths.filter((path) => shown.some(({ values }) => values.has(path))),
    ]),
  ];
  draft.total = seen.count;
  const guessed = guessByValues(shown, all, { ...options, map: given });
  const map = conversation === null ? guessed : { ...guessed, conversation };
  const describe = (isDeep: boolean): void => {
    draft.columns = describeColumns(shown, all, {
      map,
      given,
      isDeep,
      isRemembered: remembered !== undefined,
      shape,
      ...draft.found,
    });
  };
  const [example] = shown;
  if (example === undefined) {
    if (draft.found.lists.length > 0 || draft.found.hasHeader !== null) describe(false);
    return draft.finish();
  }
  for (const name of [map.ignore ?? []].flat()) draft.leaveField(name);
  const missing = findMissingColumn([...all, ...(conversation === null ? [] : raw.names)], map);
  if (missing !== null)
    draft.problem(example.isTable ? { line: 1, column: 1 } : example.where(), missing);
  else {
    const answersOnly = !saysExpectation(findFields(all, map));
    const none = columnsWithNone(shown);
    const add = (record: SourceRecord): void =>
      addRecord(draft, record, map, { given, none, server: options.server, answersOnly });
    if (seen.count <= examined) shown.forEach(add);
    else seen.records(silent(), (record) => plain(record).forEach(add));
  }
  describe(draft.count === 0);
  return draft.finish();
}

function withPaths(record: SourceRecord, paths: readonly string[]): SourceRecord {
  const found = paths.flatMap((path) => {
    const value = valueAt(record.values, path);
    return value === undefined ? [] : [[path, value] as const];
  });
  return found.length === 0 ? record : withValues(record, new Map([...record.values, ...found]));
}

/** The record once for each request of a list that a person chose as the query. */
function eachRequest(record: SourceRecord, { query }: ColumnMap): SourceRecord[] {
  const [column] = [query ?? []].flat();
  const list = column === undefined ? undefined : record.values.get(column);
  if (column === undefined || !Array.isArray(list)) return [record];
  return list.flatMap((each) =>
    typeof each === 'string'
      ? [withValues(record, new Map([...record.values, [column, each]]))]
      : [],
  );
}
