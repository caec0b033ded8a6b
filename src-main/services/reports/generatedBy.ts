import { neutralTime } from '../../../src-shared/display/dates.ts';
import type { Clock } from '../../runtime/clock.ts';

/**
 * The only field of a report that names version and time; a stamp replaces it, for reproducible
 * output.
 */
export const generatedBy = ({ version, clock }: { version: string; clock: Clock }): string =>
  `Touchstone ${version}, ${clock.now()}`;

/** The field for people, with its time as they read times; a stamp stays as it is. */
export const shownGenerated = (generated: string): string =>
  generated.replace(
    /^(Touchstone \S+, )(\d{4}-\d\d-\d\dT[\d:.]+Z)$/,
    (_found, program: string, time: string) => `${program}${neutralTime(time)}`,
  );
