import { z } from 'zod';
import { sumOf } from './evaluationRows.ts';

/** Faults on purpose of a run: how many calls each kind hit. */
export const faultRows = z.array(z.object({ fault: z.string(), calls: z.number() }));
type Faults = z.infer<typeof faultRows>;

/** Calls of a run that faults on purpose hit, all or those of a kind. */
export const callsWithFault = (faults: Faults = [], kind?: string): number =>
  sumOf(faults, ({ fault, calls }) => (kind === undefined || fault === kind ? calls : 0));

/** Success of the runs that met each kind of fault on purpose, in the order of names. */
export function faultNumbersOf<Run extends { faults?: Faults | undefined }>(
  runs: readonly Run[],
  successOf: (of: readonly Run[]) => unknown,
) {
  const kinds = new Set(runs.flatMap(({ faults = [] }) => faults.map(({ fault }) => fault)));
  return [...kinds].sort().map((kind) => {
    const planned = runs.filter(({ faults }) => faults?.some(({ fault }) => fault === kind));
    const met = planned.filter(({ faults }) => callsWithFault(faults, kind) > 0);
    return { fault: kind, recovery: successOf(met), not_reached: planned.length - met.length };
  });
}
