import type { CaseFormat } from '../../../../src-shared/contract/suites.ts';
import { formatLabel } from '../../../../src-shared/display/guessFormat.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { joinBfclFiles } from './bfclFiles.ts';
import { readRecords } from './readRecords.ts';

interface TextFile {
  fileName: string;
  text: string;
}

/** Why one of two files can’t be joined. */
export class UnreadableRecords extends Error {
  override readonly name = 'UnreadableRecords';
}

export interface JoinedAnswers {
  text: string;
  /** How the joined text is read. */
  format: CaseFormat;
  /** IDs of answers to no request, where it is known. */
  unused: string[];
}

/**
 * The requests of one file and what another one says of the same IDs: accepted answers of the
 * leaderboard, or lists that are joined where they are read. Throws UnreadableRecords.
 */
export function joinAnswers(
  records: TextFile & { format: CaseFormat },
  answers: TextFile,
): JoinedAnswers {
  const { fileName, text, format } = records;
  if (format === 'bfcl')
    try {
      const { text: joined, unused } = joinBfclFiles(text, answers.text, false);
      return { text: joined, format, unused };
    } catch (error) {
      throw new UnreadableRecords(`${answers.fileName}: ${errorText(error)}`, { cause: error });
    }
  if (format !== 'jsonl' && format !== 'csv')
    throw new UnreadableRecords(
      `Answers are joined to records of JSON, CSV or another table, and ${fileName} is of ${formatLabel(format)}.`,
    );
  const joined = JSON.stringify({ records: recordsIn(records), answers: recordsIn(answers) });
  return { text: joined, format: 'jsonl', unused: [] };
}

function recordsIn({ fileName, text }: TextFile): JsonObject[] {
  const found: JsonObject[] = [];
  const problems: string[] = [];
  const sink = {
    problem: (_where: unknown, message: string) => void problems.push(message),
    skip: (_name: string, why: string) => void problems.push(why),
    leaveField: () => undefined,
    found: { lists: [], list: null, hasHeader: null },
    name: null,
  };
  readRecords(text, fileName)(sink, ({ values }) => void found.push(Object.fromEntries(values)));
  const [first] = problems;
  if (first !== undefined) throw new UnreadableRecords(`${fileName}: ${first}`);
  return found;
}
