import { changedText } from '../../../src-shared/display/itemTexts.ts';
import { itemNoun, unreachableReason } from '../../../src-shared/display/serverTexts.ts';
import { counted, noun } from '../../../src-shared/display/numbers.ts';
import type { ServerDetail } from './serverDetail.ts';

export interface Attention {
  sentence: string;
  /** The tab that shows it; null if nothing needs attention. */
  tab: 'tools' | 'security' | 'changes' | 'connection' | null;
}

interface Found {
  /** Tools that changed since a person last reviewed them. */
  changedTools: number;
  /** The same for prompts, resources and resource templates. */
  changedItems?: number;
  /** Tools with a signal that nobody marked as safe. */
  toolsWithSignals: number;
}

/** What a person should do first about a server: one sentence, the most pressing thing only. */
export function serverAttention(
  { server, listing, variables, signIn, listChanges }: ServerDetail,
  { changedTools, changedItems = 0, toolsWithSignals }: Found,
): Attention {
  const unset = variables.filter(({ resolved }) => !resolved).length;
  const rejected = listing?.listing.rejected.length ?? 0;
  if (unset > 0)
    return {
      sentence: `Set ${counted(unset, 'value')} before it can start.`,
      tab: 'connection',
    };
  if (signIn === 'waiting') return { sentence: 'Finish the sign-in.', tab: 'connection' };
  if (server.status === 'failed')
    return {
      sentence:
        server.statusReason === null
          ? 'It can’t be reached.'
          : unreachableReason(server.statusReason),
      tab: 'connection',
    };
  if (server.status === 'inactive')
    return { sentence: 'Check it to see whether it can be reached.', tab: null };
  if (changedTools + changedItems > 0)
    return {
      sentence: `${changedText(changedTools, changedItems, itemNoun(server))} changed since you last reviewed them.`,
      tab: 'changes',
    };
  if (listChanges !== null)
    return { sentence: 'It reported changed tools. Check it again.', tab: 'changes' };
  if (toolsWithSignals > 0)
    return {
      sentence: `${counted(toolsWithSignals, itemNoun(server))} ${noun(toolsWithSignals, 'has', 'have')} an open security signal.`,
      tab: 'security',
    };
  if (rejected > 0)
    return {
      sentence: `${counted(rejected, itemNoun(server))} can’t be offered to a model.`,
      tab: 'tools',
    };
  return { sentence: 'Nothing needs attention.', tab: null };
}
