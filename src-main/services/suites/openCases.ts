import { isOpen, toFillIn, toReview } from '../../../src-shared/domain/toFillIn.ts';
import {
  casesOfFile,
  type FileProblem,
  type SuiteFile,
} from '../../../src-shared/domain/suiteFile.ts';

/** The problem of a suite with proposed cases that a person has yet to write or review; null if none is open. */
export function openProblem(file: Pick<SuiteFile, 'cases'>, text: string): FileProblem | null {
  const open = casesOfFile(file).filter(({ query }) => isOpen(query));
  const [first] = open;
  if (first === undefined) return null;
  const isLog = first.query.startsWith(toReview);
  const marker = isLog ? toReview : toFillIn;
  const mark = marker.trim();
  const line = text.slice(0, Math.max(0, text.indexOf(marker))).split('\n').length;
  const what = open.length === 1 ? '1 case is' : `${open.length} cases are`;
  const todo = isLog
    ? `Say what is right: delete “${mark}” to accept what the model did, correct the calls first, or empty them for no tool`
    : `Write what a person would ask in place of “${mark} …”`;
  return {
    line,
    column: 1,
    path: '',
    message: `${what} still to be ${isLog ? 'reviewed' : 'filled in'}, the first is ${first.id}. ${todo}; delete the cases that you don’t need.`,
  };
}
