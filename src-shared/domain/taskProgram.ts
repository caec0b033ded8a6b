import { z } from 'zod';

/** How long a program of a task may take if the task says nothing. */
export const defaultProgramSeconds = 30;

/** A program that a task starts: in the folder of its suite file, without a shell. */
export const taskProgram = z.strictObject({
  /** The program and its arguments, each a word of its own. */
  command: z
    .array(z.string().max(10_000))
    .min(1, 'A command needs a program.')
    .max(200)
    .refine(([program]) => program !== '', 'A command needs a program.'),
  /** Seconds; absent: `defaultProgramSeconds`. */
  timeout: z.number().positive().max(600).optional(),
});
export type TaskProgram = z.infer<typeof taskProgram>;

/** Whether the exit code of a checking program is its verdict; absent: its last line is. */
export const exitCodeDecides = z.literal(true).optional();

/** What a program said about a run; `passed` is null if it gave no usable verdict. */
export const programVerdict = z.strictObject({
  passed: z.boolean().nullable(),
  reason: z.string(),
  /** The share of the check that the run met, 0–1; absent: all or nothing. */
  score: z.number().min(0).max(1).optional(),
});
export type ProgramVerdict = z.infer<typeof programVerdict>;
