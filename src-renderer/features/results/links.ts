import { editAddress } from '../../../src-shared/display/toolAddresses.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { plainComparison, writeCompare } from './compare/compareAddress.ts';

export const evaluationLink = (id: string): string => `/results/${id}`;

/** The edit that a suite is run for, from an address; null: none. */
export function readBack(params: URLSearchParams): string | null {
  const back = params.get('return');
  return back !== null && /^\/tools\/[^/]+\/[^/]+\/edit(?:\?|$)/u.test(back) ? back : null;
}

/**
 * The result of what was just started, which leads back to the edit that it was started for. Of
 * several evaluations, the last one, compared with the others by the first model.
 */
export function resultFor(
  started: readonly Pick<Evaluation, 'id' | 'models'>[],
  back: string | null,
): string {
  const sides = started.map(({ id, models: [first, ...others] }) => ({
    ...{ id, modelSettingsId: others.length === 0 ? null : (first?.id ?? null) },
  }));
  const [base = null, ...others] = sides;
  const shown = others.pop();
  const params = new URLSearchParams(back === null ? {} : { return: back });
  if (shown !== undefined)
    writeCompare(params, { ...plainComparison, base, own: shown.modelSettingsId, others });
  const query = params.toString();
  return `${evaluationLink((shown ?? base)?.id ?? '')}${query === '' ? '' : `?${query}`}`;
}

/** What it is called in a sentence. */
export const evaluationNoun: Readonly<Record<EvaluationUnit, string>> = {
  case: 'evaluation',
  task: 'task evaluation',
};

/** The title of a page about one that has not loaded. */
export const evaluationTitle = (unit: EvaluationUnit): string =>
  unit === 'task' ? 'Result of tasks' : 'Result';

/** `#12 office`, `#3 office (tasks)`. */
export const evaluationName = (
  unit: EvaluationUnit,
  { number, suiteName }: { number: number; suiteName: string },
): string => `#${number} ${suiteName}${unit === 'task' ? ' (tasks)' : ''}`;

export interface RunAddress {
  id: string;
  runId: string;
}

export const runLink = ({ id, runId }: RunAddress): string => `${evaluationLink(id)}/runs/${runId}`;

/** The address of the trajectory of a run, beside that of another run where one is given. */
export function taskRunLink(
  id: string,
  runId: string,
  reference: RunAddress | null = null,
): string {
  const path = runLink({ id, runId });
  return reference === null ? path : `${path}?with=${writeRun(reference)}`;
}

export const writeRun = ({ id, runId }: RunAddress): string => `${id}/${runId}`;

/** The run that `writeRun` wrote; null if the text names none. */
export function readRun(text: string | null): RunAddress | null {
  const [id = '', runId = ''] = (text ?? '').split('/');
  return id === '' || runId === '' ? null : { id, runId };
}

export const searchLink = (id: string, model: string | null): string =>
  `${evaluationLink(id)}/search${model === null ? '' : `?${new URLSearchParams({ model }).toString()}`}`;

/** Where a tool's definition is changed and the change is tried on an evaluation's cases. */
export const fixLink = (
  evaluationId: string,
  tool: string,
  also: { model?: string | null; candidate?: string } = {},
): string => editAddress(tool, { result: evaluationId, ...also });
