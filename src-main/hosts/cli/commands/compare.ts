import type { Command } from 'commander';
import type { ComparisonSide } from '../../../../src-shared/domain/comparison.ts';
import { passedWhen } from '../../../../src-shared/domain/comparison.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { comparisonReport } from '../../../services/reports/subjects/comparisonReport.ts';
import { comparisonShape } from '../../../services/reports/subjects/comparisonShape.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import {
  addReportOptions,
  makeReportOf,
  plannedReports,
  writeReports,
  type ReportOptions,
} from '../output/reportFiles.ts';
import { comparisonText } from '../output/resultShapes.ts';
import type { Client } from '../session.ts';
import { openSession } from '../session.ts';

/** Parses `14`, `#14` or an id; `14/2` is the second model of evaluation 14. */
export async function readSide(client: Client, text: string): Promise<ComparisonSide> {
  const [, name = text, place] = /^(.+)\/(\d+)$/.exec(text) ?? [];
  const evaluation = await client.evaluations.get({ id: name });
  if (place === undefined) return { id: evaluation.id, modelSettingsId: null };
  const model = evaluation.models[Number(place) - 1];
  if (!model)
    throw new UsageError(
      `${text}: Evaluation #${evaluation.number} has ${evaluation.models.length} models. ` +
        'Count from 1.',
    );
  return { id: evaluation.id, modelSettingsId: model.id };
}

export function addCompare(compare: Command, io: CommandIo): void {
  compare.option(
    '--right-when <rule>',
    'selection_and_parameters (default), or selection (tools only)',
  );
  addReportOptions(compare, formatsBySubject.comparison)
    .addHelpText(
      'after',
      '\nName an evaluation by its number or ID; 14/2 is the second model of ' +
        '#14.\n\nExample:\n  touchstone compare 14 15 --json',
    )
    .action(
      async (
        baseline: string,
        candidates: string[],
        options: ReportOptions & { rightWhen?: string },
        command: Command,
      ) => {
        const context = contextOf(command, io);
        const rule =
          options.rightWhen === undefined ? null : passedWhen.safeParse(options.rightWhen);
        if (rule && !rule.success)
          throw new UsageError(
            `--right-when ${options.rightWhen}: Unknown value. Give selection or ` +
              'selection_and_parameters.',
          );
        const reports = await plannedReports(options, io, formatsBySubject.comparison);
        const { output } = context;
        const session = await openSession(context, 'read');
        try {
          const { client } = session;
          const sides: ComparisonSide[] = [];
          for (const text of [baseline, ...candidates]) sides.push(await readSide(client, text));
          const [first, ...rest] = sides;
          if (!first) throw new UsageError('compare: Give two evaluations.');
          const comparison = await client.results.compare({
            baseline: first,
            candidates: rest,
            passedWhen: rule?.data ?? null,
          });
          output.answer(comparisonShape(comparison), () => comparisonText(comparison));
          await writeReports(
            makeReportOf((generated) => comparisonReport(comparison, generated), options),
            reports,
            context,
          );
        } finally {
          await session.close();
        }
      },
    );
}
