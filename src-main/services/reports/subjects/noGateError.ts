import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { ReportSubject } from '../../../../src-shared/domain/report.ts';

/** JUnit reports what passed and failed, and without a gate nothing does. */
export const noGateError = (subject: ReportSubject, nextStep: string): ServiceError =>
  new ServiceError('INVALID', {
    thing: `A report of ${subject} as junit`,
    cause: 'No gate was judged, so nothing is passed or failed.',
    nextStep,
    field: 'format',
  });
