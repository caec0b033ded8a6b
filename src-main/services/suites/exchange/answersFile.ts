import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { readRecords } from './readRecords.ts';

interface TextFile {
  fileName: string;
  text: string;
}

/** Why one of two files can’t be joined. */
export class UnreadableRecords extends Error {
  override readonly name = 'UnreadableRecords';
}

/**
 * The requests of one file and what another one says of the same IDs, as one document whose lists are
 * joined where it is read. Throws UnreadableRecords.
 */
export const joinFiles = (records: TextFile, answers: TextFile): string =>
  JSON.stringify({ records: recordsIn(records), answers: recordsIn(answers) });

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
