import type { Clock } from '../../runtime/clock.ts';

/**
 * The only field of a report that names version and time; a stamp replaces it, for reproducible
 * output.
 */
export const generatedBy = ({ version, clock }: { version: string; clock: Clock }): string =>
  `Touchstone ${version}, ${clock.now()}`;
