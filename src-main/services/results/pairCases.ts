import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
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
  for (const identity of [(one: PlacedCase) => one.testCaseId, (one: PlacedCase) => one.caseKey]) {
    const known = index(restBefore, identity);
    const paired = new Set<PlacedCase>();
    restAfter = restAfter.filter((now) => {
      const id = identity(now);
      const old = id === null ? undefined : known.get(id)?.shift();
      if (!old) return true;
      paired.add(old);
      (unchanged(old, now) ? pairs.shared : pairs.changed).push({ before: old, after: now });
      return false;
    });
    restBefore = restBefore.filter((one) => !paired.has(one));
  }
  if (restBefore.length > 0 && restAfter.length > 0) {
    const known = index(restBefore, (one) => questionOfCase(one, questionOf));
    const paired = new Set<PlacedCase>();
    restAfter = restAfter.filter((now) => {
      const old = known.get(questionOfCase(now, questionOfAfter))?.shift();
      if (!old) return true;
      paired.add(old);
      pairs.shared.push({ before: old, after: now });
      return false;
    });
    restBefore = restBefore.filter((one) => !paired.has(one));
  }
  pairs.shared.sort((a, b) => a.after.position - b.after.position);
  return { ...pairs, added: restAfter, removed: restBefore };
}

/** Groups cases by a key; keys may repeat. */
function index(
  cases: readonly PlacedCase[],
  key: (one: PlacedCase) => string | null,
): Map<string, PlacedCase[]> {
  const found = new Map<string, PlacedCase[]>();
  for (const one of cases) {
    const id = key(one);
    if (id === null) continue;
    const list = found.get(id);
    if (list) list.push(one);
    else found.set(id, [one]);
  }
  return found;
}

/** Reads questions with a cache: many cases share their content. */
function createQuestionReader(store: Store): (one: PlacedCase, read: ReadQuestion) => string {
  const known = new Map<ReadQuestion, Map<string, string>>();
  return (one, read) => {
    const texts = known.get(read) ?? new Map<string, string>();
    known.set(read, texts);
    let text = texts.get(one.hash);
    if (text === undefined) {
      const row = store.resultQueries.caseText(one.hash);
      texts.set(
        one.hash,
        (text = row ? read(caseContent.parse(JSON.parse(row.content))) : one.hash),
      );
    }
    return text;
  };
}
