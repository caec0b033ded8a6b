import type { Trajectory, TrajectoryStep } from '../../../../../src-shared/domain/task.ts';

/** The steps of a run on a time scale, in milliseconds. */
export interface Lane {
  steps: { startMs: number; modelMs: number; toolMs: number; answers: boolean }[];
  modelMs: number;
  totalMs: number;
  /** Of all steps; null if one has no count. */
  tokens: number | null;
}

export const toolsMs = ({ calls }: Pick<TrajectoryStep, 'calls'>): number =>
  calls.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** Places the steps of a run one after the other: the model first, then the tools of its reply. */
export function laneOf({ steps }: Pick<Trajectory, 'steps'>): Lane {
  const lane: Lane = { steps: [], modelMs: 0, totalMs: 0, tokens: 0 };
  for (const { elapsedMs, calls, usage } of steps) {
    const toolMs = toolsMs({ calls });
    lane.steps.push({
      startMs: lane.totalMs,
      modelMs: elapsedMs,
      toolMs,
      answers: calls.length === 0,
    });
    lane.modelMs += elapsedMs;
    lane.totalMs += elapsedMs + toolMs;
    lane.tokens =
      lane.tokens === null || usage === null ? null : lane.tokens + usage.input + usage.output;
  }
  return lane;
}

const maxTicks = 8;

/** Round marks from 0 to the first at or after `totalMs`: at most nine, 1, 2 or 5 × 10ⁿ apart. */
export function ticksOf(totalMs: number): number[] {
  const least = Math.max(1, totalMs / maxTicks);
  const power = 10 ** Math.floor(Math.log10(least));
  const distance = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= least) ?? least;
  const count = Math.max(1, Math.ceil(totalMs / distance));
  return Array.from({ length: count + 1 }, (_, index) => index * distance);
}
