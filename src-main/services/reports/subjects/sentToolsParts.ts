import {
  isSentOtherwise,
  sentToolsRows,
  sentToolsText,
  unreadableText,
} from '../../../../src-shared/display/sentToolsTexts.ts';
import type { SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { Report } from '../report.ts';

/** The facts of a report: what each model was sent, and what of it can't be judged. */
export function sentToolsFacts(accounts: readonly SentToolsOfModel[]): Report['facts'] {
  const unreadable = accounts[0] ? unreadableText(accounts[0]) : null;
  return [
    ...accounts.map((account) => ({
      name: 'Tools sent',
      value:
        accounts.length === 1
          ? sentToolsText(account)
          : `${account.label}: ${sentToolsText(account)}`,
      untrusted: true,
    })),
    ...(unreadable === null ? [] : [{ name: 'Not judged', value: unreadable, untrusted: true }]),
  ];
}

/** Each tool that a model got otherwise than its server said. */
export function sentToolsParts(accounts: readonly SentToolsOfModel[]): Report['parts'] {
  if (!accounts.some(isSentOtherwise)) return [];
  return [
    {
      part: 'table',
      title: 'Sent otherwise than published',
      columns: [
        { title: 'Model', name: 'model', kind: 'text' },
        { title: 'Tool', name: 'tool_id', kind: 'code' },
        { title: 'What', name: 'what', kind: 'word' },
        { title: 'Why', name: 'why', kind: 'text' },
      ],
      rows: () =>
        accounts.flatMap((account) =>
          sentToolsRows(account).map(({ tool, what, why }) => ({
            cells: [account.label, tool, what, why],
            important: what === 'left out',
          })),
        ),
      note: 'Names are sent as server__tool. Arguments are judged by the published schemas.',
    },
  ];
}
