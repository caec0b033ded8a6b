import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { reportRequest, shownReportRequest } from '../domain/report.ts';
import { procedure } from './base.ts';

const parts = eventIterator(z.object({ text: z.string() }));

export const reportsContract = {
  /** A report of an evaluation that has ended, in parts that are written one after the other. */
  export: procedure.input(reportRequest).output(parts),
  /** The same of anything else that a screen shows. */
  exportShown: procedure.input(shownReportRequest).output(parts),
};
