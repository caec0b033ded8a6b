import {
  isSentOtherwise,
  sentToolsRows,
  sentToolsText,
  unreadableText,
} from '../../../../src-shared/display/sentToolsTexts.ts';
import type { SentTools, SentToolsOfModel } from '../../../../src-shared/domain/sentTools.ts';
import type { CommandContext } from '../commandContext.ts';

/** Tools that are listed; a report and `--json` have all of them. */
const maxListed = 20;

/** What a model is sent otherwise than servers said, and what of it can't be judged. */
export function sentToolsLines(account: SentTools, label: string): string[] {
  const rows = sentToolsRows(account);
  const unreadable = unreadableText(account);
  return [
    ...(isSentOtherwise(account) ? [`${label}: ${sentToolsText(account)}.`] : []),
    ...rows.slice(0, maxListed).map(({ tool, what, why }) => `  ${tool}: ${what} (${why})`),
    ...(rows.length > maxListed
      ? [`  and ${rows.length - maxListed} more (a report and --json list all of them)`]
      : []),
    ...(unreadable === null ? [] : [unreadable]),
  ];
}

/** Says it at the end of an evaluation; what can't be read is the same for all models. */
export function noteSentTools(
  accounts: readonly SentToolsOfModel[],
  { output }: CommandContext,
): void {
  const lines = accounts.flatMap(({ label, ...account }) => sentToolsLines(account, label));
  for (const line of new Set(lines)) output.note(line);
}
