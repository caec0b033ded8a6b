import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { caseContent } from '../../../src-shared/domain/testCase.ts';
import type { PlacedCase } from '../../store/runs/resultQueries.ts';
import type { Store } from '../../store/store.ts';

/** The cases of two evaluations, paired. */
export interface CasePairs {
  shared: { before: PlacedCase; after: PlacedCase }[];
  /** Cases whose query or expectation changed. */
  changed: { before: PlacedCase; after: PlacedCase }[];
  added: PlacedCase[];
  removed: PlacedCase[];
}

/** Reads what makes a case the same question: query and expectation, not its name or tags. */
export type ReadQuestion = (content: CaseContent) => string;

export const questionOf: ReadQuestion = ({ query, expectedCalls, orderDependent, allowedCalls }) =>
  JSON.stringify([query, expectedCalls, orderDependent, allowedCalls]);

/**
 * Pairs cases by id, then by the id in the suite file, then by the question itself, so that a suite
 * read from a file matches the same suite in the workspace. `questionOfAfter` reads the cases of
 * the candidate, whose tools may have been renamed.
 */
export function pairCases(
  store: Store,
  before: readonly PlacedCase[],
  after: readonly PlacedCase[],
  questionOfAfter: ReadQuestion = questionOf,
): CasePairs {
  const pairs: CasePairs = { shared: [], changed: [], added: [], removed: [] };
  const questionOfCase = createQuestionReader(store);
  const unchanged = (a: PlacedCase, b: PlacedCase): boolean =>
    (a.hash === b.hash && questionOfAfter === questionOf) ||
    questionOfCase(a, questionOf) === questionOfCase(b, questionOfAfter);

  let [restBefore, restAfter] = [[...before], [...after]];
  for (const identity of [
    (testCase: PlacedCase) => testCase.testCaseId,
    (testCase: PlacedCase) => testCase.caseKey,
  ]) {
    const known = index(restBefore, identity);
    const paired = new Set<PlacedCase>();
    restAfter = restAfter.filter((afterCase) => {
      const id = identity(afterCase);
      const beforeCase = id === null ? undefined : known.get(id)?.shift();
      if (!beforeCase) return true;
      paired.add(beforeCase);
      (unchanged(beforeCase, afterCase) ? pairs.shared : pairs.changed).push({
        before: beforeCase,
        after: afterCase,
      });
      return false;
    });
    restBefore = restBefore.filter((testCase) => !paired.has(testCase));
  }
  if (restBefore.length > 0 && restAfter.length > 0) {
    const known = index(restBefore, (testCase) => questionOfCase(testCase, questionOf));
    const paired = new Set<PlacedCase>();
    restAfter = restAfter.filter((afterCase) => {
      const beforeCase = known.get(questionOfCase(afterCase, questionOfAfter))?.shift();
      if (!beforeCase) return true;
      paired.add(beforeCase);
      pairs.shared.push({ before: beforeCase, after: afterCase });
      return false;
    });
    restBefore = restBefore.filter((testCase) => !paired.has(testCase));
  }
  pairs.shared.sort((a, b) => a.after.position - b.after.position);
  return { ...pairs, added: restAfter, removed: restBefore };
}

/** Groups cases by a key; keys may repeat. */
function index(
  cases: readonly PlacedCase[],
  key: (testCase: PlacedCase) => string | null,
): Map<string, PlacedCase[]> {
  const found = new Map<string, PlacedCase[]>();
  for (const testCase of cases) {
    const id = key(testCase);
    if (id === null) continue;
    const list = found.get(id);
    if (list) list.push(testCase);
    else found.set(id, [testCase]);
  }
  return found;
}

/** Reads questions with a cache: many cases share their content. */
function createQuestionReader(store: Store): (testCase: PlacedCase, read: ReadQuestion) => string {
  const known = new Map<ReadQuestion, Map<string, string>>();
  return (testCase, read) => {
    const texts = known.get(read) ?? new Map<string, string>();
    known.set(read, texts);
    let text = texts.get(testCase.hash);
    if (text === undefined) {
      const row = store.resultQueries.caseText(testCase.hash);
      texts.set(
        testCase.hash,
        (text = row ? read(caseContent.parse(parseJson(row.content))) : testCase.hash),
      );
    }
    return text;
  };
}
