import type { ToolFailures, Verdict } from '../../../../../src-shared/domain/verdict.ts';

/**
 * The model that an action begins with: the one that the page is limited to, or else the one with
 * the lowest pass rate.
 */
export const presetModel = (
  { models }: Pick<Verdict, 'models'>,
  filtered: string | null,
): string | null => filtered ?? models.at(-1)?.modelSettingsId ?? null;

/**
 * The model that the fix of a tool begins with: the one that the page is limited to, or else the one
 * with the most failures that point to the tool; of several, the one with the lowest pass rate.
 */
export function modelToFix(
  verdict: Pick<Verdict, 'models'>,
  models: ToolFailures['models'],
  filtered: string | null,
): string | null {
  const failed = new Map(models.map((one) => [one.modelSettingsId, one.failed]));
  const worst = verdict.models
    .toReversed()
    .toSorted(
      (a, b) => (failed.get(b.modelSettingsId) ?? 0) - (failed.get(a.modelSettingsId) ?? 0),
    );
  return filtered ?? worst[0]?.modelSettingsId ?? null;
}
