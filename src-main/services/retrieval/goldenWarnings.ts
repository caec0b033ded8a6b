import type { DatasetWarning } from '../../../src-shared/domain/datasetWarning.ts';
import type { GoldenQuery } from '../../../src-shared/domain/retrieval.ts';
import { words } from '../../analysis/tokenizer.ts';

const phrase = (text: string): string => ` ${words(text).join(' ')} `;

/**
 * Queries that name one of their labeled tools: the words of its name, next to each other. Any
 * retriever finds a tool by its name, so such a query measures nothing (docs/rules.md §5).
 */
export function goldenWarnings(queries: readonly GoldenQuery[]): DatasetWarning[] {
  return queries.flatMap(({ id, query, labels }) => {
    const said = phrase(query);
    const named = labels.find(({ tool_id }) => {
      const name = phrase(tool_id.slice(tool_id.indexOf(':') + 1));
      return name.trim() !== '' && said.includes(name);
    });
    return named === undefined
      ? []
      : [
          {
            entry: id,
            reason: `The query names the tool ${named.tool_id}, so any retriever finds it.`,
            nextStep: 'Ask for the same in words of a person who doesn’t know the tool.',
          },
        ];
  });
}
