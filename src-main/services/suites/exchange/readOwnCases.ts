import { sha256 } from '../../../runtime/sha256.ts';
import type { SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { CaseText } from '../caseText.ts';
import { openProblem } from '../openCases.ts';
import { readSuiteFile } from '../suiteFile.ts';
import { readSuiteParts } from '../suiteParts.ts';
import type { SchemaOf } from '../suiteProblems.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';

export function readOwnCases(
  { text, name }: Pick<CaseText, 'text' | 'name'>,
  schemaOf: SchemaOf,
  { keepsPacked }: Pick<ReadOptions, 'keepsPacked'> = {},
): ReadCases {
  const long = keepsPacked === true ? readSuiteParts(text, schemaOf) : null;
  if (long !== null)
    return { ...ownCases(long.head, long.packed.count, { text, name }), packed: long.packed };
  const { file: read, problems } = readSuiteFile(text, schemaOf);
  const open = read === null ? null : openProblem(read, text);
  const file = open === null ? read : null;
  return {
    ...ownCases(file, file?.cases.length ?? 0, { text, name }),
    problems: open === null ? problems : [...problems, open],
  };
}

/** What was read of a suite in our own format: nothing of it was converted. */
export const ownCases = (
  suite: SuiteFile | null,
  count: number,
  { text, name }: Pick<CaseText, 'text' | 'name'>,
): ReadCases => ({
  suite: suite === null || name === undefined ? suite : { ...suite, name },
  problems: [],
  report: {
    converter: 'touchstone/1',
    sourceHash: sha256(text),
    exact: count,
    approximated: [],
    skipped: [],
    unreadFields: [],
    assumedServer: null,
  },
  origins: new Map(),
  columns: null,
});
