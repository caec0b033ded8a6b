import type { Clock } from '../../runtime/clock.ts';

/** The one field of a report that tells program, version and time; a stamp takes its place. */
export const generatedBy = ({ version, clock }: { version: string; clock: Clock }): string =>
  `Touchstone ${version}, ${clock.now()}`;
