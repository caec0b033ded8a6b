import type { Candidate } from '../domain/candidate.ts';
import { splitToolId, toolId } from '../domain/labels.ts';

export function toolAddress(id: string): string {
  const { server, tool } = splitToolId(id);
  return `/tools/${encodeURIComponent(server)}/${encodeURIComponent(tool)}`;
}

/** The id of a tool from the parts of an address; the router has decoded them. */
export const toolOfAddress = ({
  server = '',
  tool = '',
}: Partial<Record<string, string>>): string => toolId(server, tool);

export interface EditTarget {
  result?: string | null;
  /** The id of the settings of the model that it is tried with. */
  model?: string | null;
  candidate?: string | null;
  /** A suggested text, and where it belongs; without a place, it is the description. */
  text?: string;
  path?: string;
  source?: 'rule' | 'model';
}

/** Where a tool's texts are changed and the change is proven, with or without a result. */
export function editAddress(id: string, target: EditTarget = {}): string {
  const given = Object.entries(target).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const query = given.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return `${toolAddress(id)}/edit${query === '' ? '' : `?${query}`}`;
}

/** The editor with a candidate, on the result and with the model that it was tried on. */
export const candidateAddress = ({
  id,
  toolId: tool,
  baseEvaluationId,
  modelSettingsId,
}: Pick<Candidate, 'id' | 'toolId' | 'baseEvaluationId' | 'modelSettingsId'>): string =>
  editAddress(tool, { result: baseEvaluationId, model: modelSettingsId, candidate: id });

/**
 * The grid that adds cases for a tool to a suite; null: to the suite of its server. `back` is the page
 * that asks for them.
 */
export function addCasesAddress(id: string, suiteId: string | null, back: string | null): string {
  const named = encodeURIComponent(id);
  const returning = back === null ? '' : `&return=${encodeURIComponent(back)}`;
  return suiteId === null
    ? `/suites/propose?tool=${named}${returning}`
    : `/suites/${suiteId}?add=${named}${returning}`;
}
