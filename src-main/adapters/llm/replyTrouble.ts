import { formatCount } from '../../../src-shared/display/numbers.ts';
import { observationDetails, type Observation } from '../../../src-shared/domain/observation.ts';
import { textCallReason } from '../../../src-shared/domain/unscoredReasons.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ChatModel } from './chatModel.ts';
import { findTextCall } from './textCalls/findTextCall.ts';
import { offeredNames, shownTool } from './textCalls/offeredNames.ts';

export type JudgedReply = Pick<Observation, 'calls' | 'text' | 'reasoning' | 'stopReason'> &
  Partial<Pick<Observation, 'usage' | 'details'>>;

export interface AskedWith {
  /** The tools that were offered. Equal lists are the same object. */
  tools: readonly Pick<SnapshotTool, 'server' | 'name'>[];
  sent: ChatModel['sent'];
}

/**
 * Why the calls of a reply aren't all known, so that nothing it did or left out can be judged; null
 * if they are. It was cut off by its length or by a filter, it ended otherwise within a call, or it makes a call
 * as text that its endpoint didn't read. Source: docs/rules.md §3, Calls as text.
 */
export function replyTrouble(reply: JudgedReply, { tools, sent }: AskedWith): string | null {
  if (reply.stopReason === 'cut_off') return cutOffReason(reply, sent);
  if (reply.stopReason === 'filtered')
    return "The endpoint's content filter ended the reply, so calls may be missing or incomplete. Change the text of the case, or the filter.";
  if (reply.stopReason !== 'called' && reply.calls.some((call) => call.arguments === null))
    return 'The reply ended within a call, whose arguments are incomplete.';
  // What a model thinks is no answer, unless it says nothing else.
  const isSilent = (reply.text ?? '').trim() === '' && reply.calls.length === 0;
  const said = isSilent ? reply.reasoning : reply.text;
  const found = said === null ? null : findTextCall(said, offeredNames(tools));
  if (found === null) return null;
  // Beside a call that was read, a text may show that call again; in a later turn it is another.
  const turns = observationDetails.safeParse(reply.details ?? {}).data?.turns ?? 1;
  const isRead =
    turns === 1 &&
    reply.calls.some(
      ({ server, tool }) =>
        server !== null && tool !== null && shownTool({ server, name: tool }) === found.tool,
    );
  return isRead ? null : textCallReason(found);
}

function cutOffReason({ usage = null }: JudgedReply, sent: ChatModel['sent']): string {
  const limit = sent['max_tokens'];
  const isOurs =
    typeof limit === 'number' && !(usage?.source === 'measured' && usage.output < limit);
  return isOurs
    ? `The reply was cut off at the ${formatCount(limit)} tokens (max_tokens) that Touchstone ` +
        'allows, so calls may be missing or incomplete. Lower the reasoning effort, or ask for ' +
        'shorter answers in the system prompt.'
    : 'The reply was cut off at a limit of the endpoint (tokens per answer, or its context), so ' +
        'calls may be missing or incomplete. Raise that limit at the endpoint.';
}
