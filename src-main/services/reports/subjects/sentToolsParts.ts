import {
  isSentOtherwise,
  sentToolsRows,
  sentToolsText,
  unreadableText,
} from '../../../../src-shared/display/sentToolsTexts.ts';
import type { SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { Report } from '../report.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';

/** The facts of a report: what each model was sent, and what of it can't be judged. */
export function sentToolsFacts(accounts: readonly SentToolsOfModel[]): Report['facts'] {
  const unreadable = accounts[0] ? unreadableText(accounts[0]) : null;
  const [, several] = accounts;
  return factsFrom(
    ...accounts.map((account) => {
      const text = sentToolsText(account);
      return ['Tools sent', several ? `${account.label}: ${text}` : text, 'untrusted'] as const;
    }),
    ['Not judged', unreadable, 'untrusted'],
  );
}

/** Each tool that a model got otherwise than its server said. */
export function sentToolsParts(accounts: readonly SentToolsOfModel[]): Report['parts'] {
  if (!accounts.some(isSentOtherwise)) return [];
  return tables(
    tableOf(
      'Sent otherwise than published',
      accounts.flatMap((account) =>
        sentToolsRows(account).map((row) => ({ ...row, label: account.label })),
      ),
      [
        field('text', 'Model', 'model', ({ label }) => label),
        field('code', 'Tool', 'tool_id', ({ tool }) => tool),
        field('word', 'What', 'what', ({ what }) => what),
        field('text', 'Why', 'why', ({ why }) => why),
      ],
      {
        row: ({ what }) => ({ important: what === 'left out' }),
        note: 'Names are sent as server__tool. Arguments are judged by the published schemas.',
      },
    ),
  );
}
