import type { SentTools } from '../domain/sentTools.ts';
import { counted, formatCount } from './numbers.ts';

/** "18 of 20 tools offered; 17 with an adapted schema, 2 under another name". */
export function sentToolsText({ published, offered, adapted, renamed }: SentTools): string {
  const changes = [
    ...(adapted.length === 0 ? [] : [`${formatCount(adapted.length)} with an adapted schema`]),
    ...(renamed.length === 0 ? [] : [`${formatCount(renamed.length)} under another name`]),
  ];
  const count =
    offered === published
      ? `${counted(published, 'tool')} offered`
      : `${formatCount(offered)} of ${counted(published, 'tool')} offered`;
  return changes.length === 0 ? `${count} as published` : `${count}; ${changes.join(', ')}`;
}

/**
 * The same of all models of an evaluation in a few words: `18 of 20 tools, 17 schemas
 * adapted`. Where models
 * are offered different numbers of tools, `17–18 of 20 tools`; adapted are those of the model with
 * most. Null before the tools are known.
 */
export function offeredText(accounts: readonly SentTools[]): string | null {
  if (accounts.length === 0) return null;
  const published = Math.max(...accounts.map((account) => account.published));
  const offered = accounts.map((account) => account.offered);
  const [least, most] = [Math.min(...offered), Math.max(...offered)];
  const adapted = Math.max(...accounts.map((account) => account.adapted.length));
  const range = least === most ? '' : `${formatCount(least)}–`;
  const part = least === published ? '' : `${range}${formatCount(most)} of `;
  return (
    `${part}${counted(published, 'tool')}` +
    (adapted === 0 ? '' : `, ${counted(adapted, 'schema')} adapted`)
  );
}

/** What `offeredText` counts. */
export const offeredMeaning =
  'What the model was offered. A schema is adapted where the model’s API takes only a part of it; ' +
  'arguments are judged by the published one.';

/** Whether the model gets anything else than what the servers said. */
export const isSentOtherwise = ({ leftOut, adapted, renamed }: SentTools): boolean =>
  leftOut.length + adapted.length + renamed.length > 0;

/** Each tool that is left out or sent otherwise, with the reason. */
export const sentToolsRows = ({
  leftOut,
  adapted,
  renamed,
}: SentTools): {
  tool: string;
  what: 'left out' | 'adapted schema' | 'another name';
  why: string;
}[] => [
  ...leftOut.map(({ tool, reason }) => ({ tool, what: 'left out' as const, why: reason })),
  ...adapted.map(({ tool, changes }) => ({
    tool,
    what: 'adapted schema' as const,
    why: changes.join('; '),
  })),
  ...renamed.map(({ tool, name }) => ({
    tool,
    what: 'another name' as const,
    why: `sent as ${name}`,
  })),
];

const maxNamed = 5;

/** Which tools have keywords that decide nothing, in one line; null if none has. */
export function unreadableText({ unreadable }: Pick<SentTools, 'unreadable'>): string | null {
  if (unreadable.length === 0) return null;
  const named = unreadable
    .slice(0, maxNamed)
    .map(({ tool, places: [first = '', ...others] }) =>
      others.length === 0
        ? `${tool} (${first})`
        : `${tool} (${first} and ${counted(others.length, 'more place')})`,
    );
  const beyond = unreadable.length - named.length;
  return (
    `${counted(unreadable.length, 'tool')} ${unreadable.length === 1 ? 'has' : 'have'} schema keywords ` +
    `that can’t be read, so arguments aren’t judged by them: ${named.join(', ')}` +
    `${beyond > 0 ? ` and ${counted(beyond, 'more tool')}` : ''}.`
  );
}
