import { ORPCError } from '@orpc/client';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { Client } from '../session.ts';

const prefix = 'tasks:';

/** True for `tasks:3`, the number of a task evaluation: both kinds are numbered from 1. */
const namesTasks = (name: string): boolean => name.startsWith(prefix);

/**
 * Finds an evaluation by what a person calls it: `14`, `#14` or an ID; of tasks `tasks:3` or an ID.
 * Throws NOT_FOUND if there is none.
 */
export async function findEvaluation(
  client: Client,
  name: string,
): Promise<{ unit: EvaluationUnit; id: string }> {
  const ofTasks = async (given: string) => {
    const { id } = await client.evaluations.get({ unit: 'task', id: given });
    return { unit: 'task' as const, id };
  };
  if (namesTasks(name)) return ofTasks(name.slice(prefix.length));
  try {
    const { id } = await client.evaluations.get({ id: name });
    return { unit: 'case', id };
  } catch (error) {
    if (/^#?\d+$/.test(name) || !(error instanceof ORPCError) || error.code !== 'NOT_FOUND')
      throw error;
    return await ofTasks(name).catch(() => {
      throw error;
    });
  }
}
