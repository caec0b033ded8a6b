import type { ListedResult } from '../../../src-shared/contract/results.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { NamedEvaluation, OutlinedEvaluation } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { shownEvaluation } from '../evaluations/read/shownEvaluation.ts';
import { shownTaskEvaluation } from '../tasks/shownTaskEvaluation.ts';

/**
 * Results of both units, grouped, filtered and in pages: only those of the page are read with their
 * outcomes.
 */
export function listResults(
  store: Store,
  { unit, suite, model, search, offset, limit }: Input<'results', 'list'>,
): Output<'results', 'list'> {
  const all = store.evaluations.outline();
  const wanted = search.trim().toLowerCase();
  const matches = (one: OutlinedEvaluation): boolean =>
    (unit === null || one.unit === unit) &&
    (suite === null || one.suiteId === suite || one.suiteName === suite) &&
    (model === null || one.models.includes(model)) &&
    (wanted === '' || textOf(one).includes(wanted));
  const groups = foldDerived(all).filter(
    ({ lead, derived }) => matches(lead) || derived.some(matches),
  );
  const searches = Map.groupBy(store.optimizations.list(), (one) => one.baseEvaluationId);
  const distinct = (values: readonly string[]): string[] =>
    [...new Set(values)].toSorted(compareText);
  return {
    groups: groups.slice(offset, offset + limit).map(({ lead, derived }) => ({
      lead: read(store, lead),
      derived: derived.map((one) => read(store, one)),
      searches: [lead, ...derived].flatMap(({ id }) =>
        (searches.get(id) ?? []).map(({ id: searchId, state, createdAt }) => ({
          id: searchId,
          state,
          createdAt,
        })),
      ),
      derivedMatches: !matches(lead),
    })),
    total: groups.length,
    suites: distinct(all.map(({ suiteName }) => suiteName)),
    models: distinct(all.flatMap(({ models }) => models)),
  };
}

/** What a search looks in, as the list shows it. */
const textOf = ({ unit, number, suiteName, models }: OutlinedEvaluation): string =>
  `#${number} ${suiteName} ${models.join(', ')} ${models.join(', ').replaceAll('/', ' · ')}${unit === 'task' ? ' tasks' : ''}`.toLowerCase();

/**
 * Puts derived evaluations under the one that they started from, also by several steps. One whose
 * base is gone leads a group of its own.
 */
function foldDerived(
  all: readonly OutlinedEvaluation[],
): { lead: OutlinedEvaluation; derived: OutlinedEvaluation[] }[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  const leadOf = (one: OutlinedEvaluation): OutlinedEvaluation => {
    const base = byId.get(one.origin?.evaluationId ?? '');
    return base === undefined ? one : leadOf(base);
  };
  const members = Map.groupBy(all, leadOf);
  return all
    .filter((one) => members.has(one))
    .map((lead) => ({
      lead,
      derived: (members.get(lead) ?? []).filter((one) => one !== lead),
    }));
}

function read(store: Store, { unit, id, number }: NamedEvaluation): ListedResult {
  const [ofCases, ofTasks] = [store.evaluations.get('case', id), store.evaluations.get('task', id)];
  if (ofCases) return { unit: 'case', evaluation: shownEvaluation(store, ofCases) };
  if (ofTasks) return { unit: 'task', evaluation: shownTaskEvaluation(store, ofTasks) };
  throw new Error(`Evaluation #${number} (${unit}) is gone.`);
}
