import type { ReadCases, ReadOptions } from './caseExchange.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { addRecord } from './caseRecord.ts';
import {
  findFields,
  findMissingColumn,
  guessColumns,
  saysExpectation,
  unusedColumns,
} from './fieldNames.ts';
import { guessByValues } from './guessByValues.ts';
import type { SourceRecord } from './recordFields.ts';
import { SuiteDraft } from './suiteDraft.ts';

const version = 2;
const maxColumns = 1000;

/**
 * Reads a suite of records with named fields. Which field holds what is told by its name, else by its
 * values; a person's own map comes before both.
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
  const map = guessByValues(records, all, options);
  draft.columns = {
    names: all.slice(0, maxColumns),
    mapped: guessColumns(all, map),
    unused: unusedColumns(all, map).slice(0, maxColumns),
  };
  const [first] = records;
  if (first === undefined) return draft.finish();
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
