import type { RunFilter } from '../../../../src-shared/domain/evaluation.ts';
import { classifications, type Classification } from '../../../../src-shared/domain/score.ts';
import { runSorts, type RunSort } from '../../../../src-shared/domain/runSorts.ts';
import { runStatuses, type RunStatus } from '../../../../src-shared/domain/evaluation.ts';

export const resultTabs = [
  'cases',
  'confusions',
  'tools',
  'confidence',
  'parameters',
  'repetitions',
  'latency',
  'snapshot',
  'settings',
] as const;
export type ResultTab = (typeof resultTabs)[number];

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
  classes: readonly Classification[];
  statuses: readonly RunStatus[];
  passed: boolean | null;
  search: string;
  cell: { expected: string; selected: string } | null;
  sort: RunSort;
  descending: boolean;
  /** The run that the user comes back from: it is scrolled into view and has the cursor. */
  at: string | null;
}

export const plainAddress: ResultAddress = {
  tab: 'cases',
  model: null,
  mode: 'counts',
  tools: '',
  classes: [],
  statuses: [],
  passed: null,
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
  const passed = params.get('passed');
  return {
    tab: among(params.get('tab'), resultTabs) ?? plainAddress.tab,
    model: params.get('model') || null,
    mode: params.get('cells') === 'share' ? 'share' : 'counts',
    tools: params.get('tools') ?? '',
    classes: classifications.filter((one) => list('class').includes(one)),
    statuses: runStatuses.filter((one) => list('status').includes(one)),
    passed: passed === 'yes' ? true : passed === 'no' ? false : null,
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

/** Writes only what differs from the default page. */
export function writeAddress(address: ResultAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (address.tab !== plainAddress.tab) params.set('tab', address.tab);
  if (address.model !== null) params.set('model', address.model);
  if (address.mode !== plainAddress.mode) params.set('cells', address.mode);
  if (address.tools !== '') params.set('tools', address.tools);
  if (address.classes.length > 0) params.set('class', address.classes.join('.'));
  if (address.statuses.length > 0) params.set('status', address.statuses.join('.'));
  if (address.passed !== null) params.set('passed', address.passed ? 'yes' : 'no');
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
  if (address.classes.length > 0) filter.classification = [...address.classes];
  if (address.statuses.length > 0) filter.status = [...address.statuses];
  if (address.passed !== null) filter.passed = address.passed;
  if (address.search.trim() !== '') filter.search = address.search.trim();
  if (address.cell !== null) filter.cell = { ...address.cell };
  return { filter, sort: address.sort, descending: address.descending };
}

/** True if anything except the model narrows the list of cases. */
export function isNarrowed(address: ResultAddress): boolean {
  const { classes, statuses, passed, search, cell } = address;
  return (
    classes.length > 0 ||
    statuses.length > 0 ||
    passed !== null ||
    search.trim() !== '' ||
    cell !== null
  );
}

/** The same page with all cases in the list. */
export function withAllCases(address: ResultAddress): ResultAddress {
  return { ...address, classes: [], statuses: [], passed: null, search: '', cell: null };
}
