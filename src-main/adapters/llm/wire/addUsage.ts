import type { TokenUsage } from '../../../../src-shared/domain/observation.ts';

const accuracy = ['measured', 'counted', 'estimated'] as const;

/** The sum, labeled with the less exact source of the two. */
export function addUsage(a: TokenUsage | null, b: TokenUsage | null): TokenUsage | null {
  if (!a || !b) return null;
  const source =
    accuracy[Math.max(accuracy.indexOf(a.source), accuracy.indexOf(b.source))] ?? 'estimated';
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    source,
    ...cachedTokens(
      (a.cacheRead ?? 0) + (b.cacheRead ?? 0),
      (a.cacheWrite ?? 0) + (b.cacheWrite ?? 0),
    ),
  };
}

/** The members of a usage for input from and to a prompt cache: only what there is. */
export function cachedTokens(
  read: number | null | undefined,
  write: number | null | undefined = 0,
): Pick<TokenUsage, 'cacheRead' | 'cacheWrite'> {
  return {
    ...((read ?? 0) > 0 && { cacheRead: read ?? 0 }),
    ...((write ?? 0) > 0 && { cacheWrite: write ?? 0 }),
  };
}
