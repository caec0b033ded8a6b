import type { ColumnMap } from '../../../../src-shared/contract/suites.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { addRecord } from './caseRecord.ts';
import { describeColumns, findMissingColumn, shapeOf } from './columns.ts';
import { findFields, saysExpectation } from './fieldNames.ts';
import { guessByValues } from './guessByValues.ts';
import type { SourceRecord } from './recordFields.ts';
import { SuiteDraft } from './suiteDraft.ts';

const version = 2;

/**
 * Reads a suite of records with named fields. Which field holds what is told by a person's map, else
 * by the map of an earlier import of the same columns, else by its name, else by its values.
 */
export function readRecordSuite(
  format: ForeignFormat,
  text: string,
  options: ReadOptions,
  read: (draft: SuiteDraft) => SourceRecord[],
): ReadCases {
  const draft = new SuiteDraft(format, version, text, options);
  const records = read(draft);
  const names = new Set<string>();
  for (const { values } of records) for (const name of values.keys()) names.add(name);
  const all = [...names];
  const remembered = options.map === null ? options.remembered?.[shapeOf(all)] : undefined;
  const given: ColumnMap = options.map ?? remembered ?? {};
  const map = guessByValues(records, all, { ...options, map: given });
  const [first] = records;
  if (first === undefined) return draft.finish();
  draft.columns = describeColumns(records, all, {
    map,
    given,
    isRemembered: remembered !== undefined,
  });
  for (const name of [map.ignore ?? []].flat()) draft.leaveField(name);
  const missing = findMissingColumn(all, map);
  if (missing !== null)
    draft.problem(first.isTable ? { line: 1, column: 1 } : first.where(), missing);
  else {
    const answersOnly = !saysExpectation(findFields(all, map));
    for (const record of records)
      addRecord(draft, record, map, { server: options.server, answersOnly });
  }
  return draft.finish();
}
