import type { ErrorFacts } from './errorFacts.ts';

/**
 * Milliseconds to wait before the next attempt, as the endpoint says; null where it doesn't. The most
 * exact source wins: `retry-after-ms` (Azure, OpenAI), `retry-after` (seconds, a date, an instant),
 * the body (Google's RetryInfo), the reset of an exhausted limit (`x-ratelimit-*`, OpenRouter's in
 * its body too), then the words "try again in 1.2s" (OpenAI, Groq, Gemini, Azure).
 */
export function retryAfter(
  headers: Headers,
  facts: Pick<ErrorFacts, 'message' | 'retryDelay' | 'headers'>,
  now: number,
): number | null {
  const of = (name: string) => headers.get(name) ?? facts.headers[name] ?? null;
  const exact = of('retry-after-ms')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(exact)) return Number(exact);
  const resets = ['requests', 'tokens', 'input-tokens', 'output-tokens'].flatMap((kind) =>
    ['x-ratelimit', 'anthropic-ratelimit'].flatMap((name) => [
      [of(`${name}-remaining-${kind}`), of(`${name}-reset-${kind}`)],
      [of(`${name}-${kind}-remaining`), of(`${name}-${kind}-reset`)],
    ]),
  );
  resets.push([of('x-ratelimit-remaining'), of('x-ratelimit-reset')]);
  resets.push([of('ratelimit-remaining'), of('ratelimit-reset')]);
  const waits = resets.flatMap(([remaining, reset]) =>
    remaining?.trim() === '0' && reset != null ? [waitOf(reset, now) ?? []].flat() : [],
  );
  const said =
    /(?:try again|retry)(?: after| in)\s+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|sec(?:ond)?s?|m|min(?:ute)?s?|h|hours?)\s*)+)/i;
  return (
    waitOf(of('retry-after') ?? '', now) ??
    waitOf(facts.retryDelay ?? '', now) ??
    (waits.length > 0 ? Math.max(...waits) : null) ??
    waitOf(said.exec(facts.message)?.[1] ?? '', now)
  );
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A wait that is written as seconds, a duration ("6m0s", "120ms"), a date, or an instant since 1970. */
function waitOf(text: string, now: number): number | null {
  const given = text.trim();
  if (/^\d+(\.\d+)?$/.test(given)) {
    const value = Number(given);
    // No limit lasts 30 years: these are instants, in seconds or milliseconds.
    if (value < 1e9) return value * 1000;
    return Math.max(0, value < 1e11 ? value * 1000 - now : value - now);
  }
  const parts = [...given.matchAll(/(\d+(?:\.\d+)?)\s*(ms|milli|s|m|h|d)[a-z]*\s*/gi)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === given)
    return parts.reduce((sum, [, value, unit = '']) => {
      const name = unit.toLowerCase();
      return sum + Number(value) * (unitMs[name === 'milli' ? 'ms' : name] ?? 0);
    }, 0);
  const date = /[a-z]{3}|\d{4}-\d{2}-\d{2}T/i.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
