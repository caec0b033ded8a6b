import { z } from 'zod';
import { decodeText } from '../../../../src-shared/display/decodeText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { TaskCheck, TaskResult, Trajectory } from '../../../../src-shared/domain/task.ts';
import type { ProgramVerdict } from '../../../../src-shared/domain/taskProgram.ts';
import { runTaskProgram, type ProgramPlace } from './runTaskProgram.ts';

type ProgramCheck = Extract<TaskCheck, { kind: 'program' }>;
const isProgram = (check: TaskCheck): check is ProgramCheck => check.kind === 'program';

/** What a run is judged by: the task and what happened. */
export interface JudgedRun extends ProgramPlace {
  name: string;
  turns: readonly string[];
  repetition: number;
  checks: readonly TaskCheck[];
  trajectory: Trajectory;
}

const result = ({ isError, text, structured, cutFrom, large }: TaskResult): JsonObject => ({
  ...{ is_error: isError, text, structured, cut_from: cutFrom },
  ...(large && { part_of: large.length, at: large.at, part: large.part }),
});
const results = (read: Trajectory['states'] | undefined): JsonObject =>
  Object.fromEntries(Object.entries(read ?? {}).map(([id, each]) => [id, result(each)]));

/** The run as a program receives it (docs/guide/tasks.md, "Check with a program"). */
function programInput({ name, turns, repetition, runFolder, trajectory }: JudgedRun): JsonObject {
  const { steps, end, states, references, values, user } = trajectory;
  const said = user?.turns.flatMap(({ text }) => text ?? []) ?? [];
  return {
    version: 1,
    task: { name, turns: [...turns, ...said] },
    repetition,
    run_folder: runFolder,
    answer: steps.at(-1)?.text ?? null,
    end,
    steps: steps.map(({ turn, text, calls }) => ({
      turn,
      text,
      calls: calls.map((call) => ({
        ...{ server: call.server, tool: call.tool, name: call.name, arguments: call.arguments },
        ...{ answered_by: call.answeredBy, result: result(call.result) },
      })),
    })),
    readings: results(states),
    references: results(references),
    values: values ?? {},
  };
}

const maxReasonLength = 2_000;
const said = z.object({
  passed: z.boolean(),
  score: z.number().min(0).max(1).optional(),
  reason: z.string().optional(),
});

/** The verdict in the last line of what a program wrote; null if there is none. */
function verdictIn(stdout: Buffer): ProgramVerdict | null {
  const { text, problem } = decodeText(stdout);
  const line = problem === null ? text.trim().split('\n').at(-1) : undefined;
  try {
    const { passed, score, reason } = said.parse(JSON.parse(line ?? ''));
    return {
      passed,
      reason: (reason ?? (passed ? 'The program passed it.' : 'The program failed it.')).slice(
        0,
        maxReasonLength,
      ),
      ...(score !== undefined && { score }),
    };
  } catch {
    return null;
  }
}

/** A shell that can't start a program exits with these: nothing was judged. */
const notStarted: ReadonlySet<number> = new Set([126, 127]);

/** The verdict of an exit code: 0 passes. The last line says why. Null if nothing was judged. */
function verdictOfCode(exitCode: number, stdout: Buffer, log: string): ProgramVerdict | null {
  if (notStarted.has(exitCode)) return null;
  const line = (decodeText(stdout).text ?? '').trim().split('\n').at(-1) ?? '';
  const reason = `The program exited with code ${exitCode}.${line === '' ? log : ` It wrote: ${line}`}`;
  return { passed: exitCode === 0, reason: reason.slice(0, maxReasonLength) };
}

/**
 * What the programs of a task say about a run, one after the other. One that says nothing usable has no
 * verdict: that is a fault of the program, never of the model.
 */
export async function askPrograms(
  run: JudgedRun,
  signal: AbortSignal,
): Promise<Pick<Trajectory, 'programs'>> {
  const programs: NonNullable<Trajectory['programs']> = {};
  for (const check of run.checks.filter(isProgram)) {
    const ended = await runTaskProgram(check, programInput(run), run, signal);
    const unusable = (problem: string): ProgramVerdict => ({
      passed: null,
      reason: `The program gave no verdict. ${problem}`,
    });
    if (!ended.ok) {
      programs[check.id] = unusable(ended.problem);
      continue;
    }
    const { exitCode, stdout, log } = ended;
    programs[check.id] =
      check.exitCode === true
        ? (verdictOfCode(exitCode, stdout, log) ??
          unusable(`It exited with code ${exitCode}, so it wasn't started.${log}`))
        : (verdictIn(stdout) ??
          unusable(
            `It exited with code ${exitCode}, and its last line isn't {"passed": true or false}. ` +
              `If its exit code is the verdict, add exit_code: true.${log}`,
          ));
  }
  return Object.keys(programs).length === 0 ? {} : { programs };
}
