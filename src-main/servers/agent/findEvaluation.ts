import { z } from 'zod';
import type { ListedResult } from '../../../src-shared/contract/results.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { Client } from './agentTool.ts';

export const evaluationNumber = z.number().int().min(1);

/** Every result of the workspace, the newest first; `suite` is its name. */
export async function listEvaluations(
  reader: Client,
  { suite = null, unit = null }: { suite?: string | null; unit?: EvaluationUnit | null } = {},
): Promise<ListedResult[]> {
  const { groups } = await reader.results.list({ suite, unit, limit: 500 });
  return groups
    .flatMap(({ lead, derived }) => [lead, ...derived])
    .filter(({ evaluation }) => suite === null || evaluation.suiteName === suite)
    .sort((a, b) => b.evaluation.number - a.evaluation.number);
}

/**
 * An evaluation of cases or of tasks by its number; without one, the latest that people started for
 * its own sake and that ended.
 */
export async function findResult(
  reader: Client,
  number: number | undefined,
  unit: EvaluationUnit | null = null,
): Promise<ListedResult> {
  if (number !== undefined) {
    const found = await reader.evaluations.unitOf({ id: String(number) });
    return found.unit === 'case'
      ? { unit: 'case', evaluation: await reader.evaluations.get({ id: found.id }) }
      : {
          unit: 'task',
          evaluation: (await reader.evaluations.report({ id: found.id })).evaluation,
        };
  }
  const latest = (await listEvaluations(reader, { unit })).find(
    ({ evaluation }) => evaluation.origin === null && evaluation.completedAt !== null,
  );
  if (latest === undefined)
    throw new Error(
      `There is no finished evaluation${unit === null ? '' : ` of ${unit}s`}. Start one with run_evaluation.`,
    );
  return latest;
}

/** The same of cases alone. Throws for one of tasks. */
export async function findEvaluation(
  reader: Client,
  number: number | undefined,
): Promise<Evaluation> {
  const found = await findResult(reader, number, 'case');
  if (found.unit === 'case') return found.evaluation;
  throw new Error(
    `Evaluation #${number}: It is one of tasks. Choose one whose unit is case, as list_evaluations shows it.`,
  );
}

export async function findSuite(reader: Client, name: string): Promise<{ id: string }> {
  const suites = await reader.suites.list();
  const found = suites.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `Suite ${name}: It isn't in the workspace. The suites are: ` +
      `${suites.map((each) => each.name).join(', ') || 'none'}.`,
  );
}
