import { counted, formatUsd } from './numbers.ts';

/** What requests without an answer may add to a cost; null if there are none. */
export const unansweredText = (requests: number): string | null =>
  requests === 0
    ? null
    : `${counted(requests, 'canceled or unanswered request')} may have been billed`;

/**
 * What all requests of an evaluation cost: `$0.02; 3 canceled or unanswered requests may have been
 * billed`. Null if nothing is known to be paid.
 */
export function spendText({
  usd,
  unanswered,
}: {
  usd: number | null;
  unanswered: number;
}): string | null {
  const known = usd === null ? null : formatUsd(usd);
  const more = unansweredText(unanswered);
  return known === null && more === null
    ? null
    : [known ?? 'price unknown', more].filter(Boolean).join('; ');
}
