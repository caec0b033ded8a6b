import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import type { CaseContent } from '../../../../src-shared/domain/testCase.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import type { Store } from '../../../store/store.ts';

/** Reads what makes a case the same question: query, what stands before it, and expectation, not its name or tags. */
export type ReadQuestion = (content: CaseContent) => string;

type Asked = Pick<
  CaseContent,
  | 'query'
  | 'expectedCalls'
  | 'orderDependent'
  | 'allowedCalls'
  | 'argumentsMode'
  | 'system'
  | 'messages'
>;

/** Equal questions give equal text, whatever the order of the names in their arguments. */
const questionOf = (asked: Asked): string => {
  const { query, expectedCalls, orderDependent, allowedCalls, argumentsMode } = asked;
  const { system, messages } = asked;
  // What isn't set is left out, so that hashes in older reports stay comparable.
  const mode = argumentsMode === undefined ? [] : [argumentsMode];
  const prompt =
    system === undefined && messages === undefined
      ? []
      : [{ ...(system !== undefined && { system }), ...(messages && { messages }) }];
  return canonicalJson([query, expectedCalls, orderDependent, allowedCalls, ...mode, ...prompt]);
};

/** The question of a case as reports hold it. */
export const questionHash = (content: Asked): string => sha256(questionOf(content));

/** Reads the questions of frozen cases with a cache: many cases share their content. */
export function createQuestionReader(store: Store): (hash: string, read: ReadQuestion) => string {
  const known = new Map<ReadQuestion, Map<string, string>>();
  return (hash, read) => {
    const texts = known.get(read) ?? new Map<string, string>();
    known.set(read, texts);
    let text = texts.get(hash);
    if (text === undefined) {
      const content = store.resultQueries.caseContent(hash);
      text = content ? read(content) : hash;
      texts.set(hash, text);
    }
    return text;
  };
}
