import { alternatives, type TestCase } from '../../../src-shared/domain/testCase.ts';

export interface CaseFilter {
  search: string;
  /** A case is shown if it has all of these tags. */
  tags: readonly string[];
}

/** The text that the search covers: key, name, query, tags and the names of expected tools. */
function searchText(testCase: TestCase): string {
  const tools = testCase.expectedCalls.flatMap((call) =>
    alternatives(call).map((reference) => `${reference.server}:${reference.tool}`),
  );
  return [testCase.key, testCase.name, testCase.query, ...testCase.tags, ...tools]
    .join('\n')
    .toLowerCase();
}

/** The search text of each case, built once per list, so that filtering 10,000 cases is fast. */
export function searchTexts(cases: readonly TestCase[]): ReadonlyMap<string, string> {
  return new Map(cases.map((testCase) => [testCase.id, searchText(testCase)]));
}

export function filterCases(
  cases: readonly TestCase[],
  { search, tags }: CaseFilter,
  texts?: ReadonlyMap<string, string>,
): TestCase[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return cases.filter((testCase) => {
    if (!tags.every((tag) => testCase.tags.includes(tag))) return false;
    if (words.length === 0) return true;
    const text = texts?.get(testCase.id) ?? searchText(testCase);
    return words.every((word) => text.includes(word));
  });
}

export function tagsOf(cases: readonly TestCase[]): string[] {
  return [...new Set(cases.flatMap((testCase) => testCase.tags))].sort((a, b) =>
    a.localeCompare(b, 'en'),
  );
}
