import { formatCount, formatPercent, noun } from './numbers.ts';

export interface PassedRuns {
  passed: number;
  scored: number;
}

/** More models than these are a range: `27–39 of 60`. */
const maxNamed = 2;

/** `39 of 60`, `39 and 27 of 60`, or `12–39 of 60`: models are never pooled. */
export function passedText(models: readonly PassedRuns[]): string {
  if (models.length === 0) return '0 of 0';
  const passed = models.map((one) => one.passed);
  const scored = models.map((one) => one.scored);
  if (models.length > maxNamed) return `${rangeText(passed)} of ${rangeText(scored)}`;
  const isSame = new Set(scored).size === 1;
  return isSame
    ? `${passed.map(formatCount).join(' and ')} of ${formatCount(scored[0] ?? 0)}`
    : models.map((one) => `${formatCount(one.passed)} of ${formatCount(one.scored)}`).join(' and ');
}

/** `65%`, `65% and 45%`, or `20–65%`. */
export function rateOfModels(models: readonly PassedRuns[]): string {
  const rates = models.map(({ passed, scored }) => passed / scored);
  if (models.length <= maxNamed) return rates.map((rate) => formatPercent(rate)).join(' and ');
  const [least, most] = [Math.min(...rates), Math.max(...rates)].map((rate) => formatPercent(rate));
  return least === most ? `${least}` : `${least?.replace('%', '')}–${most}`;
}

/** `39 and 27 of 61 cases`, of the models that have a score. */
export function passedOfModels(
  scored: readonly PassedRuns[],
  unit: string,
  models: readonly unknown[],
): string {
  if (scored.length === 0) return `No ${unit} was scored`;
  const most = Math.max(...scored.map((one) => one.scored));
  return `${passedText(scored)} ${noun(most, unit)}${modelsNote(scored.length, models.length)}`;
}

/** What a result says of its models after its counts: how many a range is of, and who has no score. */
const modelsNote = (scored: number, all: number): string =>
  scored < all
    ? `, ${formatCount(scored)} of ${formatCount(all)} models`
    : scored > maxNamed
      ? `, ${formatCount(all)} models`
      : '';

function rangeText(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(formatCount);
  return least === most ? `${least}` : `${least}–${most}`;
}
