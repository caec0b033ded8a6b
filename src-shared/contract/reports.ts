import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { reportRequest } from '../domain/report.ts';
import { procedure } from './base.ts';

export const reportsContract = {
  /** A report of an evaluation that has ended, in parts that are written one after the other. */
  export: procedure.input(reportRequest).output(eventIterator(z.object({ text: z.string() }))),
};
