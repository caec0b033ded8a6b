import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { CommandContext } from '../commandContext.ts';
import type { Client } from '../session.ts';

/**
 * Finds an evaluation by what a person calls it: `14`, `#14` or an ID. One of tasks may also be
 * `tasks:3`, the number that it had while tasks were numbered apart; a note then says today's.
 * Throws NOT_FOUND if there is none.
 */
export async function findEvaluation(
  client: Client,
  name: string,
  { output }: Pick<CommandContext, 'output'>,
): Promise<{ unit: EvaluationUnit; id: string }> {
  const { unit, id, number } = await client.evaluations.unitOf({ id: name });
  if (name.startsWith('tasks:') && name.slice('tasks:'.length).replace('#', '') !== `${number}`)
    output.note(`${name} is #${number}.`);
  return { unit, id };
}
