import type { TaskReport } from '../../../src-shared/domain/taskReport.ts';
import { jsonReportVersions } from '../reports/formats/writeJson.ts';
import { tasksShape } from '../reports/subjects/tasksShape.ts';
import type { NamedReport } from './reportSides.ts';
import { readTasksReport } from './tasksReportFile.ts';

/** A task evaluation of the workspace, read as its own JSON report would be. */
export const namedTasksReport = (report: TaskReport): NamedReport => ({
  name: `#${report.evaluation.number}`,
  isFile: false,
  report: readTasksReport({
    format: 'touchstone-tasks',
    version: jsonReportVersions.tasks,
    ...tasksShape(report),
  }),
});
