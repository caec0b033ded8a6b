import type { ComparisonSide, PassedWhen } from '../../../../src-shared/domain/comparison.ts';

export const caseLists = [
  'regressed',
  'fixed',
  'stillFailing',
  'tied',
  'notScored',
  'changed',
  'added',
  'removed',
] as const;
export type CaseList = (typeof caseLists)[number];

/** A comparison on the page of a result, as its address says it. */
export interface CompareAddress {
  /** What the result is compared with; null: not chosen yet. */
  base: ComparisonSide | null;
  /** The model of the result, where it has several; null: chosen for the baseline. */
  own: string | null;
  /** Further results that are compared with the same baseline. */
  others: readonly ComparisonSide[];
  passedWhen: PassedWhen | null;
  /** Index of the side in view: 0 is the result, then the others. */
  shown: number;
  list: CaseList | null;
  /** Key of the open case. */
  open: string | null;
  search: string;
}

export const plainComparison: CompareAddress = {
  base: null,
  own: null,
  others: [],
  passedWhen: null,
  shown: 0,
  list: null,
  open: null,
  search: '',
};

/** With the result itself, so many are compared with one baseline. */
export const maxOthers = 19;

export function readSide(text: string | null): ComparisonSide | null {
  if (text === null || text === '') return null;
  const [id = '', model = ''] = text.split('/');
  return id === '' ? null : { id, modelSettingsId: model === '' ? null : model };
}

export function writeSide({ id, modelSettingsId }: ComparisonSide): string {
  return modelSettingsId === null ? id : `${id}/${modelSettingsId}`;
}

const sidesOf = (params: URLSearchParams, name: string): ComparisonSide[] =>
  params.getAll(name).flatMap((text) => readSide(text) ?? []);

/** The comparison of an address, without what it doesn't know; null if none is open. */
export function readCompare(params: URLSearchParams): CompareAddress | null {
  if (!params.has('compare')) return null;
  const others = sidesOf(params, 'with').slice(0, maxOthers);
  const shown = Number(params.get('shown') ?? '0');
  return {
    base: sidesOf(params, 'compare')[0] ?? null,
    own: params.get('own') || null,
    others,
    passedWhen:
      (['selection', 'selection_and_parameters'] as const).find(
        (one) => one === params.get('right'),
      ) ?? null,
    shown: Number.isInteger(shown) && shown > 0 && shown <= others.length ? shown : 0,
    list: caseLists.find((one) => one === params.get('list')) ?? null,
    open: params.get('case') || null,
    search: (params.get('find') ?? '').slice(0, 500),
  };
}

/** Writes a comparison into an address that has none. */
export function writeCompare(params: URLSearchParams, address: CompareAddress): void {
  const { base, own, others, passedWhen, shown, list, open, search } = address;
  params.set('compare', base === null ? '' : writeSide(base));
  if (own !== null) params.set('own', own);
  for (const side of others) params.append('with', writeSide(side));
  if (passedWhen !== null) params.set('right', passedWhen);
  if (shown > 0) params.set('shown', String(shown));
  if (list !== null) params.set('list', list);
  if (open !== null) params.set('case', open);
  if (search !== '') params.set('find', search);
}

/** A comparison with another result, by the model that fits; null: not chosen yet. */
export const comparisonWith = (id: string | null): CompareAddress => ({
  ...plainComparison,
  base: id === null ? null : { id, modelSettingsId: null },
});

/** The page of a result with its comparison open. */
export function comparisonLink(id: string, base: ComparisonSide | null): string {
  const params = new URLSearchParams();
  writeCompare(params, { ...plainComparison, base });
  return `/results/${id}?${params.toString()}`;
}
