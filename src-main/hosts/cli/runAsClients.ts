import { clientName } from '../../../src-shared/display/clientTexts.ts';
import type { PresentedAs } from '../../../src-shared/domain/clientFacts.ts';
import type { Comparison } from '../../../src-shared/domain/comparison.ts';
import { formatFromFileName, formatsBySubject } from '../../../src-shared/domain/report.ts';
import { reportSide, type NamedReport } from '../../services/checks/reportSides.ts';
import { comparisonDocument } from '../../services/reports/documents/comparisonDocument.ts';
import { publish } from '../../services/reports/documents/published.ts';
import { comparisonReport } from '../../services/reports/subjects/comparisonReport.ts';
import { compare } from '../../services/results/compare.ts';
import type { JudgedBy } from '../../services/checks/judgeReports.ts';
import type { CommandContext } from './commandContext.ts';
import type { EvalOptions } from './input/evalOptions.ts';
import { withLabel } from './input/projectOptions.ts';
import { makeReportOf, plannedReports, writeReports } from './output/reportFiles.ts';
import { comparisonText } from './output/resultShapes.ts';
import { answerSuites } from './output/suiteAnswers.ts';

interface ClientJob {
  options: EvalOptions;
  judgedBy: JudgedBy;
  isRehearsal?: boolean;
  ended?: (report: NamedReport, isKept: boolean) => void;
}

/**
 * Runs an evaluation as each of several clients, one after the other, and compares them: the first is
 * the baseline. A report file is the comparison; that of each client has its name at the end.
 */
export async function runAsClients<Job extends ClientJob>(
  clients: readonly PresentedAs[],
  job: Job,
  context: CommandContext,
  run: (job: Job, context: CommandContext) => Promise<void>,
): Promise<void> {
  const { options, judgedBy } = job;
  const reports = (options.report ?? []).filter(
    (file) => file === 'github' || formatFromFileName(file, formatsBySubject.comparison) !== null,
  );
  const { short: _, ...named } = options;
  const planned = await plannedReports(
    { ...named, report: reports },
    context.io,
    formatsBySubject.comparison,
  );
  const ended: NamedReport[] = [];
  const jobs = clients.map((client) => ({
    label: client,
    job: {
      ...job,
      options: {
        ...options,
        client,
        ...(options.report && { report: withLabel(options.report, client) }),
      },
      ended: (report: NamedReport, isKept: boolean): void => {
        ended.push(isKept ? report : { ...report, name: clientName(client), isFile: true });
      },
    },
  }));
  // Nothing is run before every client is known to be in order.
  if (options.estimate !== true)
    for (const { label, job: own } of jobs)
      try {
        await run({ ...own, isRehearsal: true }, context);
      } catch (error) {
        context.output.error(`${clientName(label)} can't be evaluated, so no client was:`);
        throw error;
      }
  if (job.isRehearsal === true) return;
  const compared: { all: Comparison | null } = { all: null };
  await answerSuites(
    jobs.map((one) => ({ label: one.label, run: (own) => run(one.job, own) })),
    context,
    {
      noun: 'Client',
      list: 'clients',
      isJudged:
        judgedBy.isCheck === true ||
        judgedBy.thresholds.length > 0 ||
        judgedBy.hidden !== undefined,
      together: () => {
        compared.all = options.shard === undefined ? compareEnded(ended) : null;
        const { all } = compared;
        return (
          all && {
            document: { comparison: publish(comparisonDocument, all) },
            text: () => comparisonText(all),
          }
        );
      },
    },
  );
  const { all } = compared;
  if (all === null) return;
  const make = makeReportOf((generated) => comparisonReport(all, generated), options);
  await writeReports(make, planned, context);
}

/** The clients against the first one; several models count together. Null if fewer than two ended. */
function compareEnded(ended: readonly NamedReport[]): Comparison | null {
  const [before, ...after] = ended.map((each) => {
    const [only, ...others] = each.report.models;
    return reportSide(each, others.length === 0 ? (only ?? null) : null);
  });
  return before === undefined || after.length === 0
    ? null
    : compare(before, after, 'selection_and_parameters');
}
