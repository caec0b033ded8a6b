/** What decides whether a result is the previous one of another. */
export interface ResultOfSuite {
  number: number;
  suite: { id: string | null; name: string };
  hasEnded: boolean;
  /** Whether it repeats another result: an estimate, a proof, a single case again. */
  isDerived: boolean;
  /** How tasks are executed; null for cases. */
  mode: string | null;
  /** The models by the ids of their settings, and by name. */
  models: readonly { id: string; label: string }[];
}

type Suite = ResultOfSuite['suite'];

/** Whether a result is of the same suite; one of a file goes by its name. */
export const isOfSuite = (one: Suite, suite: Suite): boolean =>
  suite.id === null
    ? one.id === null && one.name === suite.name
    : one.id === suite.id || (one.id === null && one.name === suite.name);

/**
 * The model of an earlier result that one model of a result is compared with: the one with equal
 * settings, or else the only one of its name that the result itself doesn't have. Null if there is
 * none, or several.
 */
function sameModel(result: ResultOfSuite, modelId: string, earlier: ResultOfSuite): string | null {
  const own = new Set(result.models.map(({ id }) => id));
  const label = result.models.find(({ id }) => id === modelId)?.label;
  const named = new Set(earlier.models.filter((one) => one.label === label).map(({ id }) => id));
  if (named.has(modelId)) return modelId;
  const others = [...named].filter((id) => !own.has(id));
  return others.length === 1 ? (others[0] ?? null) : null;
}

/**
 * The results that may be the previous one of a model of a result, the latest first: ended before it,
 * of the same suite and model, in the same execution mode, and started for their own sake. `listed`
 * has the newest first. A derived or a running result has none (docs/rules.md, Previous result).
 */
export function* previousResults<R extends ResultOfSuite>(
  result: ResultOfSuite,
  modelId: string,
  listed: Iterable<R>,
): Generator<{ result: R; modelId: string }, void> {
  if (!result.hasEnded || result.isDerived) return;
  for (const earlier of listed) {
    if (earlier.number >= result.number || !earlier.hasEnded || earlier.isDerived) continue;
    if (earlier.mode !== result.mode || !isOfSuite(earlier.suite, result.suite)) continue;
    const same = sameModel(result, modelId, earlier);
    if (same !== null) yield { result: earlier, modelId: same };
  }
}
