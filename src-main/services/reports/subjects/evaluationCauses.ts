import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import {
  causeTitle,
  headlineOf,
  plainText,
  scoredOf,
} from '../../../../src-shared/display/verdictTexts.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { ReportTable } from '../report.ts';
import type { ReportSource } from './reportSource.ts';
import { field, tableOf } from './tableOf.ts';

const maxRequests = 3;

/** The failures by cause, the most frequent first, each with its first requests. */
export function causesTable({ verdict, failures }: ReportSource): ReportTable {
  const { severalServers, unit } = verdict;
  async function* groups() {
    yield* (await failures()).groups;
  }
  const first = (texts: readonly string[]) => [...new Set(texts)].slice(0, maxRequests);
  return tableOf(
    'Failures by cause',
    groups,
    [
      field('mark', 'Outcome', 'outcome', ({ outcome }) => {
        const { glyph, label } = outcomeTexts[outcome];
        return { sign: glyph, word: label, name: outcome, tone: outcome };
      }),
      field('text', 'Expected → called', 'cause', (group) =>
        plainText(causeTitle(group, severalServers)),
      ),
      field('number', unit === 'cases' ? 'Cases' : 'Runs', 'runs', ({ runs }) => runs),
      field('text', 'Requests', 'requests', ({ rows }) => first(rows.map(({ query }) => query))),
      // Where the cause says all, it is not repeated.
      field('text', 'What differs', 'differences', ({ outcome, rows }) =>
        outcome === 'wrong_arguments'
          ? first(rows.map(({ differences: [differs] }) => differs?.text ?? ''))
          : null,
      ),
    ],
    {
      emptyText: scoredOf(verdict.counts) === 0 ? `${headlineOf(verdict)}.` : 'Nothing failed.',
      row: () => ({ important: true }),
      ...(verdict.causes.length > 40
        ? { note: `The first 40 of ${counted(verdict.causes.length, 'cause')}.` }
        : {}),
    },
  );
}
