import type { TaskReport } from '../domain/taskReport.ts';
import type { Failures } from '../domain/verdict.ts';

/** Runs of one model that failed by a tool, and its scored runs that need the tool. */
interface FailedRuns {
  failed: number;
  of: number;
}

/** By id of the tool, the one that failed most first. */
export type FailedTools = ReadonlyMap<string, FailedRuns>;

const worstFirst = (counts: readonly (readonly [string, FailedRuns])[]): FailedTools =>
  new Map(
    counts
      .filter(([, { failed }]) => failed > 0)
      .toSorted(([, a], [, b]) => b.failed - a.failed || a.of - b.of),
  );

/** The tools that the failed cases of a model point to. `of`: scored runs that involve the tool. */
export const failedInCases = ({ tools }: Pick<Failures, 'tools'>, model: string): FailedTools =>
  worstFirst(
    tools.flatMap(({ tool, models }) =>
      models
        .filter(({ modelSettingsId }) => tool !== null && modelSettingsId === model)
        .map(({ failed, scored }) => [tool ?? '', { failed, of: scored }] as const),
    ),
  );

/**
 * The tools at fault in the failed tasks of a model. `of`: runs whose checks require the tool, or,
 * where a tool is at fault in more runs than require it, all scored runs of the model.
 */
export function failedInTasks(
  { runs, models }: Pick<TaskReport, 'runs' | 'models'>,
  model: string,
): FailedTools {
  const { tools = [], scored = 0 } = models.find(({ id }) => id === model)?.summary ?? {};
  const atFault = runs.flatMap(({ modelSettingsId, cause }) =>
    modelSettingsId === model && cause?.tool != null ? [cause.tool] : [],
  );
  return worstFirst(
    [...Map.groupBy(atFault, (tool) => tool)].map(([tool, { length: failed }]) => {
      const needed = tools.find((one) => one.tool === tool)?.needed ?? 0;
      return [tool, { failed, of: needed < failed ? scored : needed }] as const;
    }),
  );
}
