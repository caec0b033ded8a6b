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

const maxRequests = 3;

/** The failures by cause, the most frequent first, each with its first requests. */
export function causesTable({ verdict, failures }: ReportSource): ReportTable {
  const { severalServers, unit } = verdict;
  return {
    title: 'Failures by cause',
    emptyText: scoredOf(verdict.counts) === 0 ? `${headlineOf(verdict)}.` : 'Nothing failed.',
    columns: [
      { title: 'Outcome', name: 'outcome', kind: 'mark' },
      { title: 'Expected → called', name: 'cause', kind: 'text' },
      { title: unit === 'cases' ? 'Cases' : 'Runs', name: 'runs', kind: 'number' },
      { title: 'Requests', name: 'requests', kind: 'text' },
      { title: 'What differs', name: 'differences', kind: 'text' },
    ],
    async *rows() {
      const { groups } = await failures();
      for (const group of groups) {
        const { outcome, runs, rows } = group;
        const { glyph, label } = outcomeTexts[outcome];
        const requests = [...new Set(rows.map(({ query }) => query))].slice(0, maxRequests);
        yield {
          cells: [
            { sign: glyph, word: label, name: outcome, tone: outcome },
            plainText(causeTitle(group, severalServers)),
            runs,
            requests,
            // Where the cause says all, it is not repeated.
            outcome === 'wrong_arguments'
              ? [...new Set(rows.map(({ differences: [first] }) => first?.text ?? ''))].slice(
                  0,
                  maxRequests,
                )
              : null,
          ],
          important: true,
        };
      }
    },
    ...(verdict.causes.length > 40
      ? { note: `The first 40 of ${counted(verdict.causes.length, 'cause')}.` }
      : {}),
  };
}
