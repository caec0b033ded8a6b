/**
 * A cell of the heat map takes two bytes: the overlap in steps of 1/`cellSteps`, rounded down. A
 * hundredth is a whole number of steps, so a threshold in hundredths splits the cells exactly as it
 * splits the overlaps, and it can change without new cells.
 */
export const cellSteps = 60_000;

/** The least cell that is at or above a threshold. */
export const cellAt = (threshold: number): number => Math.ceil(threshold * cellSteps - 1e-6);
