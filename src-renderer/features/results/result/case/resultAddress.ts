import type { Evaluation, RunFilter } from '../../../../../src-shared/domain/evaluation.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import {
  failureOutcomes,
  outcomes,
  type FailureCause,
  type Outcome,
} from '../../../../../src-shared/domain/outcome.ts';
import { readCompare, writeCompare, type CompareAddress } from '../../compare/compareAddress.ts';
import { readBack } from '../../links.ts';
import { runSorts, type RunSort } from '../../../../../src-shared/domain/runSorts.ts';

export const resultTabs = ['failures', 'runs', 'numbers'] as const;
export type ResultTab = (typeof resultTabs)[number];

export const numberSections = [
  'models',
  'matrix',
  'tools',
  'arguments',
  'confidence',
  'repetitions',
  'checks',
  'cost',
  'settings',
  'derived',
] as const;
export type NumberSection = (typeof numberSections)[number];

/** Sections by the names of tabs in addresses that were saved before. */
const formerTabs: Readonly<Record<string, NumberSection>> = {
  confusions: 'matrix',
  parameters: 'arguments',
  latency: 'cost',
  snapshot: 'settings',
  details: 'settings',
};

/** The tab of an address, and the section of its numbers; most sections were tabs before. */
function readTab(params: URLSearchParams): Pick<ResultAddress, 'tab' | 'section'> {
  const name = params.get('tab') ?? '';
  if (name === 'cases') return { tab: 'runs', section: null };
  const section = formerTabs[name] ?? among(name, numberSections);
  return section === null
    ? {
        tab: among(name, resultTabs) ?? plainAddress.tab,
        section: among(params.get('section'), numberSections),
      }
    : { tab: 'numbers', section };
}

/**
 * Everything in the address of an evaluation page, so that reload, back and a shared link restore
 * it.
 */
export interface ResultAddress {
  tab: ResultTab;
  /** The part of the numbers that is scrolled to. */
  section: NumberSection | null;
  /** Null means all models. */
  model: string | null;
  /** The model of the matrix beside the failures of several; null: the one that fails most. */
  matrix: string | null;
  /** The comparison that is open. */
  compared: CompareAddress | null;
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
  /** The edit of a tool for which the result was made: the way on leads there. */
  back: string | null;
}

export const plainAddress: ResultAddress = {
  tab: 'failures',
  section: null,
  model: null,
  matrix: null,
  compared: null,
  mode: 'counts',
  tools: '',
  outcomes: [],
  cause: null,
  search: '',
  cell: null,
  sort: 'position',
  descending: false,
  at: null,
  back: null,
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
  return {
    ...readTab(params),
    model: params.get('model') || null,
    matrix: params.get('matrix') || null,
    compared: readCompare(params),
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
    back: readBack(params),
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
  if (address.section !== null) params.set('section', address.section);
  if (address.model !== null) params.set('model', address.model);
  if (address.matrix !== null) params.set('matrix', address.matrix);
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
  if (address.back !== null) params.set('return', address.back);
  if (address.compared !== null) writeCompare(params, address.compared);
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

export function withAllCases(address: ResultAddress): ResultAddress {
  return { ...address, outcomes: [], cause: null, search: '', cell: null };
}

export type ChangeAddress = (part: Partial<ResultAddress>) => void;

/** Shows the runs of one cell of a confusion matrix. */
export type ShowCell = (cell: { expected: string; selected: string }, model: string | null) => void;

export interface CaseTabProps {
  evaluation: Evaluation;
  verdict: Verdict;
  address: ResultAddress;
  onChange: ChangeAddress;
}
