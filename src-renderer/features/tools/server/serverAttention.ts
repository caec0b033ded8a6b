import { toolsAndItems } from '../../../../src-shared/display/itemTexts.ts';
import {
  itemNoun,
  toolsProblem,
  unreachableReason,
} from '../../../../src-shared/display/serverTexts.ts';
import { counted, noun } from '../../../../src-shared/display/numbers.ts';
import { lostText } from '../../../../src-shared/display/clientTexts.ts';
import type { LostServer } from '../../../../src-shared/domain/clientView.ts';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import type { ServerDetail } from './serverDetail.ts';

export interface Attention {
  sentence: string;
  /** The tab that shows it; null if there is none. */
  tab: 'tools' | 'signals' | 'changes' | 'connection' | null;
}

interface Found {
  /** Tools that changed since a person last reviewed them. */
  changedTools: number;
  /** The same for prompts, resources and resource templates. */
  changedItems?: number;
  /** Tools with a signal that nobody marked as safe. */
  toolsWithSignals: number;
  /** The same for prompts, resources and resource templates. */
  itemsWithSignals?: number;
  /** That clients show no tool of it. */
  lost?: LostServer | undefined;
}

/** What a person should do first about a server: one sentence, the most pressing thing only. */
export function serverAttention(
  { server, listing, variables, signIn, listChanges }: ServerDetail,
  { changedTools, changedItems = 0, toolsWithSignals, itemsWithSignals = 0, lost }: Found,
): Attention {
  const unset = variables.filter(({ resolved }) => !resolved).length;
  const rejected = listing?.listing.rejected.length ?? 0;
  if (unset > 0)
    return { sentence: `Set ${counted(unset, 'value')} before it can start.`, tab: 'connection' };
  if (signIn === 'waiting') return { sentence: 'Finish the sign-in.', tab: 'connection' };
  if (server.status === 'failed')
    return {
      sentence:
        server.statusReason === null
          ? 'It can’t be reached.'
          : unreachableReason(server.statusReason),
      tab: 'connection',
    };
  const problem = toolsProblem(server);
  if (problem !== null) return { sentence: problem, tab: 'connection' };
  if (server.status === 'inactive')
    return { sentence: 'Connect to see whether it can be reached.', tab: null };
  if (lost !== undefined)
    return { sentence: `${lostText(lost)} There, ${lost.why} ${lost.fix}`, tab: 'tools' };
  if (changedTools + changedItems > 0)
    return {
      sentence: `${toolsAndItems(changedTools, changedItems, itemNoun(server))} changed since you last reviewed them.`,
      tab: 'changes',
    };
  if (listChanges !== null)
    return { sentence: 'It reported changed tools. Connect again.', tab: 'changes' };
  const withSignals = toolsWithSignals + itemsWithSignals;
  if (withSignals > 0)
    return {
      sentence: `${toolsAndItems(toolsWithSignals, itemsWithSignals, itemNoun(server))} ${noun(withSignals, 'has', 'have')} an open security signal.`,
      tab: 'signals',
    };
  if (rejected > 0)
    return {
      sentence: `${counted(rejected, itemNoun(server))} can’t be offered to a model.`,
      tab: 'tools',
    };
  const failed = listing?.listing.items?.find(({ status }) => status === 'failed');
  if (failed !== undefined)
    return {
      sentence: `Its ${itemKindNouns[failed.kind]}s could not be listed.`,
      tab: 'connection',
    };
  return { sentence: 'No changes to review and no open security signals.', tab: null };
}
