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

/** Everything in the address of a comparison page. */
export interface CompareAddress {
  base: ComparisonSide | null;
  candidates: readonly ComparisonSide[];
  passedWhen: PassedWhen | null;
  /** Index of the candidate in view. */
  shown: number;
  list: CaseList | null;
  /** Key of the open case. */
  open: string | null;
  search: string;
}

function readSide(text: string | null): ComparisonSide | null {
  if (text === null || text === '') return null;
  const [id = '', model = ''] = text.split('/');
  return id === '' ? null : { id, modelSettingsId: model === '' ? null : model };
}

export function writeSide({ id, modelSettingsId }: ComparisonSide): string {
  return modelSettingsId === null ? id : `${id}/${modelSettingsId}`;
}

/** Reads an address and ignores whatever it doesn't know. */
export function readCompare(params: URLSearchParams): CompareAddress {
  const candidates = params
    .getAll('with')
    .flatMap((text) => readSide(text) ?? [])
    .slice(0, 20);
  const shown = Number(params.get('shown') ?? '0');
  return {
    base: readSide(params.get('base')),
    candidates,
    passedWhen:
      (['selection', 'selection_and_parameters'] as const).find(
        (one) => one === params.get('right'),
      ) ?? null,
    shown: Number.isInteger(shown) && shown > 0 && shown < candidates.length ? shown : 0,
    list: caseLists.find((one) => one === params.get('list')) ?? null,
    open: params.get('case') || null,
    search: (params.get('q') ?? '').slice(0, 500),
  };
}

export function writeCompare({
  base,
  candidates,
  passedWhen,
  shown,
  list,
  open,
  search,
}: CompareAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (base !== null) params.set('base', writeSide(base));
  for (const side of candidates) params.append('with', writeSide(side));
  if (passedWhen !== null) params.set('right', passedWhen);
  if (shown > 0) params.set('shown', String(shown));
  if (list !== null) params.set('list', list);
  if (open !== null) params.set('case', open);
  if (search !== '') params.set('q', search);
  return params;
}
