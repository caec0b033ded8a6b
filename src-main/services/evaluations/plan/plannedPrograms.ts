import type { PlannedModel } from '../../../../src-shared/domain/evaluationPlan.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';

/** Finds the program that a configuration starts; null: it starts none that plays runs by itself. */
export type FindProgram = (configuration: ModelConfiguration) => Promise<{
  /** Null where no agent has the name. */
  program: { file: string | null; version: string | null } | null;
  /** Why it can't be started, and what to do; null: it can. */
  problem: string | null;
} | null>;

/** Adds to a plan which programs its agents are here, and an error for each that is missing. */
export async function withPrograms<Plan extends { models: PlannedModel[]; problems: object[] }>(
  findProgram: FindProgram | undefined,
  configurations: readonly ModelConfiguration[],
  plan: Plan,
  toProblem: (message: string) => Plan['problems'][number],
): Promise<Plan> {
  const found = await Promise.all(
    configurations.map(async (each) => (await findProgram?.(each)) ?? null),
  );
  return {
    ...plan,
    models: plan.models.map((model) => {
      const program = found[model.index]?.program;
      return program ? { ...model, program } : model;
    }),
    problems: [
      ...found.flatMap((each) => (each?.problem ? [toProblem(each.problem)] : [])),
      ...plan.problems,
    ],
  };
}
