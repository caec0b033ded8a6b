export interface CaseIdentity {
  /** Null in a report file. */
  testCaseId: string | null;
  /** Its id in the suite file. Null where it was frozen before these were kept. */
  caseKey: string | null;
  position: number;
}

export interface CasePairs<Case> {
  shared: { before: Case; after: Case }[];
  /** Cases whose query or expectation changed. */
  changed: { before: Case; after: Case }[];
  added: Case[];
  removed: Case[];
}

export interface Questions<Case> {
  before: (placedCase: Case) => string;
  after: (placedCase: Case) => string;
  /** True if both are known to be the same without reading them. */
  same?: (before: Case, after: Case) => boolean;
}

/**
 * Pairs cases by id, then by the id in the suite file, then by the question itself, so that a suite
 * read from a file matches the same suite in the workspace.
 */
export function pairCases<Case extends CaseIdentity>(
  before: readonly Case[],
  after: readonly Case[],
  questions: Questions<Case>,
): CasePairs<Case> {
  const pairs: CasePairs<Case> = { shared: [], changed: [], added: [], removed: [] };
  const unchanged = (a: Case, b: Case): boolean =>
    questions.same?.(a, b) === true || questions.before(a) === questions.after(b);

  let [restBefore, restAfter] = [[...before], [...after]];
  for (const identity of [
    (testCase: Case) => testCase.testCaseId,
    (testCase: Case) => testCase.caseKey,
  ]) {
    const known = index(restBefore, identity);
    const paired = new Set<Case>();
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
    const known = index(restBefore, questions.before);
    const paired = new Set<Case>();
    restAfter = restAfter.filter((afterCase) => {
      const beforeCase = known.get(questions.after(afterCase))?.shift();
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
function index<Case>(
  cases: readonly Case[],
  key: (testCase: Case) => string | null,
): Map<string, Case[]> {
  const found = Map.groupBy(cases, key);
  found.delete(null);
  return found as Map<string, Case[]>;
}
