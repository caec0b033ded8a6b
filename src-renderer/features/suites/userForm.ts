import { z } from 'zod';
import {
  defaultUserTurns,
  simulatedUser,
  type SimulatedUser,
} from '../../../src-shared/domain/task.ts';

export const userForm = z.object({
  goal: z.string(),
  persona: z.string(),
  /** One fact per line. */
  knows: z.string(),
  maxTurns: z.union([z.number(), z.literal('')]),
});
export type UserForm = z.infer<typeof userForm>;

export const emptyUser: UserForm = { goal: '', persona: '', knows: '', maxTurns: defaultUserTurns };

export const formOfUser = ({ goal, persona, knows, maxTurns }: SimulatedUser): UserForm => ({
  goal,
  persona,
  knows: knows.join('\n'),
  maxTurns,
});

/** Adds problems under the names of the fields. An empty number of replies is the default. */
export function readUser(
  { goal, persona, knows, maxTurns }: UserForm,
  report: (field: string, problem: string) => void,
): SimulatedUser | null {
  if (goal.trim() === '') report('goal', 'Enter what the person wants.');
  const read = simulatedUser.safeParse({
    goal,
    persona: persona.trim(),
    knows: knows
      .split('\n')
      .map((fact) => fact.trim())
      .filter((fact) => fact !== ''),
    maxTurns: maxTurns === '' ? defaultUserTurns : maxTurns,
  });
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) {
    const field = String(path[0]);
    if (field === 'goal' && goal.trim() === '') continue;
    report(field, field === 'maxTurns' ? 'Enter a whole number from 1 to 50.' : message);
  }
  return null;
}
