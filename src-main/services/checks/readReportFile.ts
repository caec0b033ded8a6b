import { z } from 'zod';
import { readCasesReport, type EvaluationReportFile } from './reportFile.ts';
import { readTasksReport } from './tasksReportFile.ts';

const readers = {
  'touchstone-evaluation': readCasesReport,
  'touchstone-tasks': readTasksReport,
};
const reportHead = z.looseObject({ format: z.enum(['touchstone-evaluation', 'touchstone-tasks']) });

/**
 * Reads the JSON report of an evaluation of cases or tasks; null if the document is something else.
 * Throws ZodError if the report lacks what a comparison needs, such as one of an earlier version.
 */
export function readReportFile(document: unknown): EvaluationReportFile | null {
  const head = reportHead.safeParse(document);
  return head.success ? readers[head.data.format](document) : null;
}
