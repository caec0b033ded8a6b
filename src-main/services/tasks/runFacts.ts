import { toolId } from '../../../src-shared/domain/labels.ts';
import type { TokenUsage } from '../../../src-shared/domain/observation.ts';
import { costOf, type Price } from '../../../src-shared/domain/price.ts';
import type { TaskContent, Trajectory } from '../../../src-shared/domain/task.ts';
import type { TaskFacts } from '../../../src-shared/domain/taskEvaluation.ts';
import { attackOf } from '../../scoring/tasks/injectedCalls.ts';
import {
  faultsMet,
  trajectoryFacts,
  type ToolEffects,
} from '../../scoring/tasks/trajectoryFacts.ts';

/** US dollars of requests; null if a price or a count is missing: unknown is never 0. */
export function sumOfCosts(
  usages: readonly (TokenUsage | null)[],
  price: Price | null | undefined,
): number | null {
  return usages.reduce<number | null>((sum, usage) => {
    const cost = usage && costOf(usage, price ?? null);
    return sum === null || cost === null ? null : sum + cost;
  }, 0);
}

/** A sum; null if a value is unknown, because unknown is never 0. */
export const sumOfKnown = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0,
  );

export function runFacts(
  { checks, injection, faults }: Pick<TaskContent, 'checks' | 'injection' | 'faults'>,
  trajectory: Trajectory,
  {
    effects,
    price,
    userPrice,
    judgeCost,
    spend,
  }: {
    /** What servers say about their tools, by id. */
    effects: ReadonlyMap<string, ToolEffects>;
    price: Price | null;
    userPrice: Price | null;
    /** Absent: no judge was asked. */
    judgeCost?: number | null | undefined;
    /** Absent: nothing was sent. */
    spend?: TaskFacts['spend'];
  },
): TaskFacts {
  const { steps, user } = trajectory;
  const notes = steps.flatMap(({ calls }) => calls.flatMap(({ note }) => note ?? []));
  const said = user?.turns.map(({ usage }) => usage) ?? [];
  return {
    ...trajectoryFacts(checks, trajectory, ({ server, tool }) =>
      server === null || tool === null ? null : (effects.get(toolId(server, tool)) ?? null),
    ),
    cost: sumOfCosts(
      steps.map(({ usage }) => usage),
      price,
    ),
    ...(judgeCost !== undefined && { judgeCost }),
    ...(spend && { spend }),
    ...(user && {
      user: {
        model: user.model,
        turns: user.turns.filter(({ text }) => text !== null).length,
        tokens: said.reduce<number | null>(
          (sum, usage) =>
            sum === null || usage === null ? null : sum + usage.input + usage.output,
          0,
        ),
        cost: sumOfCosts(said, userPrice),
      },
    }),
    ...(notes.length > 0 && { callNotes: notes }),
    attack: injection && attackOf(injection, trajectory),
    ...(faults && { faults: faultsMet(faults, trajectory) }),
  };
}
