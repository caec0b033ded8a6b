import { z } from 'zod';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { Client } from './agentTool.ts';

export const evaluationNumber = z.number().int().min(1);

/**
 * An evaluation of cases by its number; without one, the latest that people started for its own
 * sake and that ended. Throws for one of tasks.
 */
export async function findEvaluation(
  reader: Client,
  number: number | undefined,
): Promise<Evaluation> {
  if (number !== undefined) {
    const { unit, id } = await reader.evaluations.unitOf({ id: String(number) });
    if (unit === 'case') return reader.evaluations.get({ id });
    throw new Error(
      `Evaluation #${number}: It is one of tasks. Choose one whose unit is case, as list_evaluations shows it.`,
    );
  }
  const latest = (await reader.evaluations.list({ limit: 500, limitOf: 'originals' })).find(
    ({ origin, completedAt }) => origin === null && completedAt !== null,
  );
  if (latest === undefined)
    throw new Error('There is no finished evaluation of cases. Start one with run_evaluation.');
  return latest;
}

/** The stored suite of this name. */
export async function findSuite(reader: Client, name: string): Promise<{ id: string }> {
  const suites = await reader.suites.list();
  const found = suites.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `Suite ${name}: It isn't in the workspace. The suites are: ` +
      `${suites.map((each) => each.name).join(', ') || 'none'}.`,
  );
}
