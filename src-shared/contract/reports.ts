import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { reportRequest, shownReportRequest } from '../domain/report.ts';
import { procedure } from './base.ts';

const parts = eventIterator(z.object({ text: z.string() }));

export const reportsContract = {
  /** The report of an ended evaluation of cases or tasks, as consecutive parts of its text. */
  export: procedure.input(reportRequest).output(parts),
  /** The report of any other result that a screen shows. */
  exportShown: procedure.input(shownReportRequest).output(parts),
};
