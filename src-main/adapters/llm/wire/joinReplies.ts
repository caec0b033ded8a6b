import type { ReadReply } from './readReply.ts';
import { addUsage } from './addUsage.ts';

/**
 * Joins the replies of all turns of a run: calls and texts in order, tokens added where all are
 * known.
 */
export function joinReplies(replies: readonly ReadReply[]): ReadReply {
  const last = replies.at(-1);
  if (!last) throw new Error('A run has at least one reply.');
  if (replies.length === 1) return last;
  const calls = replies.flatMap((reply) => reply.calls);
  const loaded = replies.flatMap((reply) => reply.loaded ?? []);
  return {
    calls,
    text: joined(replies.map(({ text }) => text)),
    reasoning: joined(replies.map(({ reasoning }) => reasoning)),
    stopReason: last.stopReason === 'answered' ? 'called' : last.stopReason,
    usage: replies.map(({ usage }) => usage).reduce(addUsage),
    // The confidence of the first choice says nothing about the others.
    confidence: null,
    ...(loaded.length > 0 && { loaded }),
  };
}

function joined(texts: readonly (string | null)[]): string | null {
  const said = texts.filter((text) => text !== null);
  return said.length === 0 ? null : said.join('\n');
}
