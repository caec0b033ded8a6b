import type { RunFilter } from '../../../../../src-shared/domain/evaluation.ts';
import {
  failureOutcomes,
  outcomes,
  type FailureCause,
  type Outcome,
} from '../../../../../src-shared/domain/outcome.ts';
import { runSorts, type RunSort } from '../../../../../src-shared/domain/runSorts.ts';

export const resultTabs = [
  'failures',
  'cases',
  'matrix',
  'tools',
  'arguments',
  'confidence',
  'repetitions',
  'cost',
  'details',
] as const;
export type ResultTab = (typeof resultTabs)[number];

/** Names of tabs in addresses that were saved before. */
const formerTabs: Readonly<Record<string, ResultTab>> = {
  confusions: 'matrix',
  parameters: 'arguments',
  latency: 'cost',
  snapshot: 'details',
  settings: 'details',
};

/**
 * Everything in the address of an evaluation page, so that reload, back and a shared link restore
 * it.
 */
export interface ResultAddress {
  tab: ResultTab;
  /** Null means all models. */
  model: string | null;
  mode: 'counts' | 'share';
  /** Words that select the tools of a large matrix. */
  tools: string;
  outcomes: readonly Outcome[];
  /** Only runs that failed by this cause. */
  cause: FailureCause | null;
  search: string;
  cell: { expected: string; selected: string } | null;
  sort: RunSort;
  descending: boolean;
  /** The run that the user comes back from: it is scrolled into view and has the cursor. */
  at: string | null;
}

export const plainAddress: ResultAddress = {
  tab: 'failures',
  model: null,
  mode: 'counts',
  tools: '',
  outcomes: [],
  cause: null,
  search: '',
  cell: null,
  sort: 'position',
  descending: false,
  at: null,
};

function among<Value extends string>(
  value: string | null,
  allowed: readonly Value[],
): Value | null {
  return allowed.find((one) => one === value) ?? null;
}

/**
 * Reads an address and ignores whatever it doesn't know, so that an old or mistyped link still
 * opens.
 */
export function readAddress(params: URLSearchParams): ResultAddress {
  const list = (name: string): string[] => (params.get(name) ?? '').split('.');
  const sort = params.get('sort') ?? '';
  const [expected, selected] = [params.get('expected'), params.get('selected')];
  const tab = params.get('tab') ?? '';
  return {
    tab: among(formerTabs[tab] ?? tab, resultTabs) ?? plainAddress.tab,
    model: params.get('model') || null,
    mode: params.get('cells') === 'share' ? 'share' : 'counts',
    tools: params.get('tools') ?? '',
    outcomes: outcomes.filter((one) => list('outcome').includes(one)),
    cause: readCause(params),
    search: (params.get('q') ?? '').slice(0, 500),
    cell:
      expected !== null && selected !== null && expected !== '' && selected !== ''
        ? { expected, selected }
        : null,
    sort: among(sort.replace(/^-/, ''), runSorts) ?? plainAddress.sort,
    descending: sort.startsWith('-'),
    at: params.get('at') || null,
  };
}

function readCause(params: URLSearchParams): FailureCause | null {
  const outcome = among(params.get('cause'), failureOutcomes);
  const [expected, called] = [params.get('of') ?? '', params.get('called') ?? ''];
  return outcome === null || expected === '' || called === ''
    ? null
    : { outcome, expected, called };
}

/** Writes only what differs from the default page. */
export function writeAddress(address: ResultAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (address.tab !== plainAddress.tab) params.set('tab', address.tab);
  if (address.model !== null) params.set('model', address.model);
  if (address.mode !== plainAddress.mode) params.set('cells', address.mode);
  if (address.tools !== '') params.set('tools', address.tools);
  if (address.outcomes.length > 0) params.set('outcome', address.outcomes.join('.'));
  if (address.cause !== null) {
    params.set('cause', address.cause.outcome);
    params.set('of', address.cause.expected);
    params.set('called', address.cause.called);
  }
  if (address.search !== '') params.set('q', address.search);
  if (address.cell !== null) {
    params.set('expected', address.cell.expected);
    params.set('selected', address.cell.selected);
  }
  if (address.sort !== plainAddress.sort || address.descending)
    params.set('sort', `${address.descending ? '-' : ''}${address.sort}`);
  if (address.at !== null) params.set('at', address.at);
  return params;
}

/** The filter and order of the runs, as the core expects them. */
export function runsQuestion(address: ResultAddress): {
  filter: RunFilter;
  sort: RunSort;
  descending: boolean;
} {
  const filter: RunFilter = {};
  if (address.model !== null) filter.modelSettingsId = address.model;
  if (address.outcomes.length > 0) filter.outcome = [...address.outcomes];
  if (address.cause !== null) filter.cause = { ...address.cause };
  if (address.search.trim() !== '') filter.search = address.search.trim();
  if (address.cell !== null) filter.cell = { ...address.cell };
  return { filter, sort: address.sort, descending: address.descending };
}

/** True if anything except the model narrows the list of cases. */
export function isNarrowed(address: ResultAddress): boolean {
  const { outcomes: chosen, cause, search, cell } = address;
  return chosen.length > 0 || cause !== null || search.trim() !== '' || cell !== null;
}

/** The same page with all cases in the list. */
export function withAllCases(address: ResultAddress): ResultAddress {
  return { ...address, outcomes: [], cause: null, search: '', cell: null };
}
