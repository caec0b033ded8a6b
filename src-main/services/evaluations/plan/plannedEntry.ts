import { toolId } from '../../../../src-shared/domain/labels.ts';
import {
  alternatives,
  promptOf,
  type CaseContent,
  type Suite,
} from '../../../../src-shared/domain/testCase.ts';
import { countTokens } from '../../../analysis/tokens/encodings.ts';
import type { SourceCase } from './evaluationSources.ts';

/** Assumed output tokens of an answer that was not measured (docs/rules.md §3, Tokens and cost). */
export const assumedAnswerTokens = 120;

/** What a plan knows about one run of a case or a task before anything is sent. */
export interface PlannedEntry {
  key: string;
  /** The names of the servers whose tools the model sees. */
  servers: readonly string[];
  query: string;
  /** Tools by id; of each list, one has to be offered. */
  expects: readonly (readonly string[])[];
  requests: number;
  /** Input tokens of all requests together, beyond the tools and the prompt of the suite. */
  ownTokens: number;
}

/** A run of a case sends one request. */
export function plannedCase(
  { key, content }: Pick<SourceCase, 'key'> & { content: CaseContent },
  servers: readonly string[],
  suite: Pick<Suite, 'system' | 'messages'>,
): PlannedEntry {
  return {
    key,
    servers,
    query: content.query,
    expects: content.expectedCalls.map((call) =>
      alternatives(call).map(({ server, tool }) => toolId(server, tool)),
    ),
    requests: 1,
    // Only models that are sent something ask for it, and a first count loads a large table.
    get ownTokens() {
      return (
        countTokens(content.query) + promptTokens(promptOf(content, suite)) - promptTokens(suite)
      );
    },
  };
}

/** Estimated tokens of what stands before a query. */
export const promptTokens = ({ system, messages }: Pick<Suite, 'system' | 'messages'>): number =>
  [system ?? '', ...messages.map(({ content }) => content)].reduce(
    (sum, text) => sum + countTokens(text),
    0,
  );
