import type { ListedResult } from '../../../src-shared/contract/results.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { ResultSort } from '../../../src-shared/domain/runSorts.ts';
import type { NamedEvaluation, OutlinedEvaluation } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { shownEvaluation } from '../runs/shownEvaluation.ts';

/**
 * Results of both units, grouped, filtered and in pages: only those of the page are read with their
 * outcomes.
 */
export function listResults(
  store: Store,
  request: Input<'results', 'list'>,
): Output<'results', 'list'> {
  const { unit, suite, exceptSuites, model, search, sort, descending, offset, limit } = request;
  const all = store.evaluations.outline();
  const words = search.toLowerCase().split(/\s+/);
  const matches = (one: OutlinedEvaluation): boolean =>
    (unit === null || one.unit === unit) &&
    (suite === null || one.suiteId === suite || one.suiteName === suite) &&
    !exceptSuites.includes(one.suiteName) &&
    (model === null || one.models.includes(model)) &&
    words.every((word) => textOf(one).includes(word));
  const groups = foldDerived(all).filter(
    ({ lead, derived }) => matches(lead) || derived.some(matches),
  );
  if (sort !== null) sortGroups(groups, valuesOf(store, sort), descending);
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

type Value = string | number | null;

/** What the leads of groups are ordered by; null where there is nothing to order by. */
function valuesOf(store: Store, sort: ResultSort): (one: OutlinedEvaluation) => Value {
  if (sort === 'suite') return ({ suiteName }) => suiteName;
  if (sort === 'number') return ({ number }) => number;
  if (sort === 'when') return ({ createdAt }) => createdAt;
  const rates = store.outcomes.passRates();
  return ({ id }) => rates.get(id) ?? null;
}

/** Groups without a value come last in both directions; equal ones stay the newest first. */
function sortGroups(groups: Group[], valueOf: (one: OutlinedEvaluation) => Value, down: boolean) {
  const compare = (a: Value, b: Value): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));
    return down ? -order : order;
  };
  groups.sort((a, b) => compare(valueOf(a.lead), valueOf(b.lead)));
}

/** What a search looks in, as the list shows it. */
const textOf = ({ unit, number, suiteName, models }: OutlinedEvaluation): string =>
  `#${number} ${suiteName} ${models.join(', ')} ${models.join(', ').replaceAll('/', ' · ')}${unit === 'task' ? ' tasks' : ''}`.toLowerCase();

interface Group {
  lead: OutlinedEvaluation;
  derived: OutlinedEvaluation[];
}

/**
 * Puts derived evaluations under the one that they started from, also by several steps. One whose
 * base is gone leads a group of its own.
 */
function foldDerived(all: readonly OutlinedEvaluation[]): Group[] {
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
  if (ofCases) return { unit: 'case', evaluation: shownEvaluation(store, 'case', ofCases) };
  if (ofTasks) return { unit: 'task', evaluation: shownEvaluation(store, 'task', ofTasks) };
  throw new Error(`Evaluation #${number} (${unit}) is gone.`);
}
