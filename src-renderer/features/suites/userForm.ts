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
  /** One reply per line. Drafts of earlier versions lack it. */
  script: z.string().default(''),
  maxTurns: z.union([z.number(), z.literal('')]),
});
export type UserForm = z.infer<typeof userForm>;

const fields = { goal: '', persona: '', knows: '', script: '' };
export const emptyUser: UserForm = { ...fields, maxTurns: defaultUserTurns };

export const formOfUser = ({
  goal,
  persona,
  knows,
  script,
  maxTurns,
}: SimulatedUser): UserForm => ({
  goal,
  persona,
  knows: knows.join('\n'),
  script: script?.join('\n') ?? '',
  maxTurns,
});

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Adds problems under the names of the fields. An empty number of replies is the default. */
export function readUser(
  { goal, persona, knows, script, maxTurns }: UserForm,
  report: (field: string, problem: string) => void,
): SimulatedUser | null {
  if (goal.trim() === '') report('goal', 'Enter what the person wants.');
  const read = simulatedUser.safeParse({
    goal,
    persona: persona.trim(),
    knows: linesOf(knows),
    ...(script.trim() !== '' && { script: linesOf(script) }),
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
