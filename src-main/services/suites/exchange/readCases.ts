import type { FileProblem } from '../../../../src-shared/domain/suiteFile.ts';
import { recognizeText } from '../../../../src-shared/display/fileKinds.ts';
import type { CaseText } from '../caseText.ts';
import { findForeignText, findOtherRecords } from '../foreignText.ts';
import type { SchemaOf } from '../suiteProblems.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';
import { exchangeFormats } from './formats.ts';
import { notationOf } from './notations.ts';
import { readOwnCases } from './readOwnCases.ts';
import type { ToolCatalog } from './toolCatalog.ts';

/** What a text is that holds no records in which a person could find cases. */
function foreignRecords(
  format: CaseText['format'],
  { columns }: ReadCases,
  { fileName, text }: Pick<CaseText, 'fileName' | 'text'>,
): FileProblem | null {
  // What was said of its TOML says more than that it is TOML.
  if (format === 'jsonl' && notationOf(fileName, text) === 'toml') return null;
  const { query, tool, expected_calls: calls } = columns?.mapped ?? {};
  const isFound = query !== undefined || tool !== undefined || calls !== undefined;
  const isRead = format === 'jsonl' && isFound && (columns?.names.length ?? 0) > 1;
  return isRead && recognizeText(text)?.notation !== undefined ? null : findForeignText(text);
}

/**
 * Reads the suite in a text of any format. Cases of our own format get no origin, because they were
 * not converted.
 */
export function readCases(
  { fileName, text, format = 'touchstone', map, remembered, files, server, name }: CaseText,
  schemaOf: SchemaOf,
  catalog?: ToolCatalog,
  { onRecord, keepsPacked }: Pick<ReadOptions, 'onRecord' | 'keepsPacked'> = {},
): ReadCases {
  if (format === 'touchstone') return readOwnCases({ text, name }, schemaOf, { keepsPacked });
  const read = exchangeFormats[format].read(text, {
    fileName,
    map: map ?? null,
    remembered,
    files,
    server: server ?? null,
    name: name ?? null,
    schemaOf,
    onRecord,
    keepsPacked,
    ...(catalog && { catalog }),
  });
  // Who chose a list knows what the file is.
  const foreign =
    read.suite === null && map?.list === undefined
      ? (foreignRecords(format, read, { fileName, text }) ?? findOtherRecords(text))
      : null;
  return foreign === null ? read : { ...read, problems: [foreign], columns: null };
}
