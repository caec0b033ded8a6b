import { counted } from '../../../src-shared/display/numbers.ts';
import { pairCases } from '../results/pairCases.ts';
import { termObstacles } from '../results/pairObstacle.ts';
import { modelsDiffer, type AskedModel, type SideItem, type Terms } from '../results/side.ts';

/** What two reports must have in common so that one can be judged against the other. */
export interface CheckedSubject<Model extends AskedModel = AskedModel> extends Terms {
  suite: string;
  models: readonly Model[];
  cases: readonly SideItem[];
}

/**
 * Pairs the models of two reports. A replay counts as the model that was recorded; of several equal
 * ones, the first are paired first.
 */
export function pairModels<Before extends AskedModel, After extends AskedModel>(
  before: readonly Before[],
  after: readonly After[],
): { pairs: { before: Before; after: After }[]; missing: Before[]; added: After[] } {
  const missing = [...before];
  const pairs: { before: Before; after: After }[] = [];
  const added = after.filter((model) => {
    const at = missing.findIndex((each) => !modelsDiffer(each, model));
    const [found] = at < 0 ? [] : missing.splice(at, 1);
    if (found !== undefined) pairs.push({ before: found, after: model });
    return found === undefined;
  });
  return { pairs, missing, added };
}

/**
 * Every difference that makes a verdict meaningless, one sentence each: another suite, other models,
 * and, unless they are allowed, cases that were removed, added or changed.
 */
export function differencesOf(
  baseline: CheckedSubject,
  now: CheckedSubject,
  { allowChangedCases }: { allowChangedCases: boolean },
): string[] {
  const differences = termObstacles(baseline, now).map(({ cause }) => cause);
  if (baseline.unit !== now.unit) return differences;
  if (baseline.suite !== now.suite)
    differences.push(`The suite is ${now.suite}, and ${baseline.suite} in the baseline.`);
  const { missing, added } = pairModels(baseline.models, now.models);
  const modelNames = (models: readonly AskedModel[]) =>
    models.map(({ provider, model }) => `${provider}/${model}`).join(', ');
  if (missing.length + added.length > 0)
    differences.push(
      missing.length === 0
        ? `The baseline has no results of ${modelNames(added)}.`
        : added.length === 0
          ? `Only the baseline has results of ${modelNames(missing)}.`
          : `The model is ${modelNames(added)}, and ${modelNames(missing)} in the baseline.`,
    );
  if (!allowChangedCases) differences.push(...caseDifferences(baseline.cases, now));
  return differences;
}

const byHash = {
  before: ({ content }: SideItem): string => content,
  after: ({ content }: SideItem): string => content,
};

export const sharedCases = (before: readonly SideItem[], after: readonly SideItem[]): number =>
  pairCases(before, after, byHash).shared.length;

const maxNamed = 10;

function caseDifferences(
  before: readonly SideItem[],
  { cases: after, unit }: Pick<CheckedSubject, 'cases' | 'unit'>,
): string[] {
  const pairs = pairCases(before, after, byHash);
  const sentence = (found: readonly SideItem[], verb: [string, string]): string[] => {
    if (found.length === 0) return [];
    const named = found.slice(0, maxNamed).map(({ caseKey }) => caseKey);
    const more = found.length - named.length;
    return [
      `${counted(found.length, unit)} ${verb[found.length === 1 ? 0 : 1]}: ` +
        `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    ];
  };
  return [
    ...sentence(pairs.removed, ['of the baseline is missing', 'of the baseline are missing']),
    ...sentence(pairs.added, ['is not in the baseline', 'are not in the baseline']),
    ...sentence(
      pairs.changed.map((pair) => pair.after),
      unit === 'case'
        ? ['has another query or expectation', 'have another query or expectation']
        : ['has other turns, checks or settings', 'have other turns, checks or settings'],
    ),
  ];
}
