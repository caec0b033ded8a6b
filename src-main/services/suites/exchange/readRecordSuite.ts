import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { addRecord } from './caseRecord.ts';
import { describeColumns, findMissingColumn, shapeOf } from './columns.ts';
import { findFields, saysExpectation } from './fieldNames.ts';
import { guessByValues } from './guessByValues.ts';
import type { SourceRecord } from './recordFields.ts';
import type { Records, RecordSink } from './readRecords.ts';
import { SuiteDraft } from './suiteDraft.ts';
import { findToolColumns, joinedNames, joinToolColumns } from './toolColumns.ts';

const version = 2;

/** Records whose values are looked at. Those of a text that has no more are read once. */
const examined = 200;

/** What was said already is not said again. */
const silent = (): RecordSink => ({
  problem: () => undefined,
  skip: () => undefined,
  leaveField: () => undefined,
  name: null,
});

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

/**
 * Reads a suite of records with named fields. Which field holds what is told by a person's map, else
 * by the map of an earlier import of the same columns, else by its name, else by its values. The
 * records are visited twice, once for all names, and are never kept.
 */
export function readRecordSuite(
  format: ForeignFormat,
  text: string,
  options: ReadOptions,
  recordsOf: (draft: SuiteDraft) => Records,
): ReadCases {
  const draft = new SuiteDraft(format, version, text, options);
  const records = recordsOf(draft);
  const names = new Set<string>();
  const first: SourceRecord[] = [];
  let count = 0;
  records(draft, (record) => {
    for (const name of record.values.keys()) names.add(name);
    if ((count += 1) <= examined) first.push(record);
    draft.advance(count);
  });
  const written = [...names];
  const ofTools = (map: ColumnMap) =>
    findToolColumns(first, written, { map, catalog: draft.catalog });
  const shape = joinedNames(written, ofTools({}));
  const remembered = options.map === null ? options.remembered?.[shapeOf(shape)] : undefined;
  const given: ColumnMap = options.map ?? remembered ?? {};
  const toolColumns = ofTools(given);
  const all = joinedNames(written, toolColumns);
  draft.total = count;
  const plain = (record: SourceRecord): SourceRecord => joinToolColumns(record, toolColumns);
  const shown = first.map(plain);
  const map = guessByValues(shown, all, { ...options, map: given });
  const [example] = shown;
  if (example === undefined) return draft.finish();
  draft.columns = describeColumns(shown, all, {
    map,
    given,
    isRemembered: remembered !== undefined,
  });
  for (const name of [map.ignore ?? []].flat()) draft.leaveField(name);
  const missing = findMissingColumn(all, map);
  if (missing !== null)
    draft.problem(example.isTable ? { line: 1, column: 1 } : example.where(), missing);
  else {
    const answersOnly = !saysExpectation(findFields(all, map));
    const none = columnsWithNone(shown);
    const add = (record: SourceRecord): void =>
      addRecord(draft, record, map, { given, none, server: options.server, answersOnly });
    if (count <= examined) shown.forEach(add);
    else records(silent(), (record) => add(plain(record)));
  }
  return draft.finish();
}
