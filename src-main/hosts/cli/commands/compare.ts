import type { Command } from 'commander';
import type {
  Comparison,
  ComparisonSide,
  PassedWhen,
} from '../../../../src-shared/domain/comparison.ts';
import { passedWhen } from '../../../../src-shared/domain/comparison.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { reportSide } from '../../../services/checks/reportSides.ts';
import { compare } from '../../../services/results/compare.ts';
import { evaluationName, type Side } from '../../../services/results/side.ts';
import { comparisonReport } from '../../../services/reports/subjects/comparisonReport.ts';
import { comparisonDocument } from '../../../services/reports/documents/comparisonDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import {
  chooseModel,
  namesReportFile,
  readEvaluationReport,
  readStoredReport,
  splitPlace,
} from '../input/reportInput.ts';
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

/** Parses `14`, `#14` or an ID; `14/2` is the second model of evaluation 14. */
export async function readSide(
  client: Client,
  text: string,
  context: CommandContext,
): Promise<ComparisonSide> {
  const [, name = text, place] = /^(.+)\/(\d+)$/.exec(text) ?? [];
  const { unit, id } = await findEvaluation(client, name, context);
  if (place === undefined) return { id, modelSettingsId: null };
  const { number, models } = await client.evaluations.get({ unit, id });
  const model = models[Number(place) - 1];
  if (!model)
    throw new UsageError(
      `${text}: ${evaluationName(unit, number)} has ${models.length} models. Count from 1.`,
    );
  return { id, modelSettingsId: model.id };
}

export function addCompare(added: Command, io: CommandIo): void {
  added.option(
    '--right-when <rule>',
    'selection_and_parameters (default), or selection (tools only)',
  );
  addReportOptions(added, formatsBySubject.comparison)
    .addHelpText(
      'after',
      '\nName an evaluation by its number or ID, or give its JSON report. ' +
        '14/2 is the second model of #14,\nand main.json/2 that of a report.\n\nExample:\n  touchstone compare 14 15 ' +
        '--json\n  touchstone compare main.json branch.json',
    )
    .action(
      async (
        baseline: string,
        candidates: string[],
        options: ReportOptions & { rightWhen?: string },
        command: Command,
      ) => {
        const context = contextOf(command, io);
        const rule = readRule(options.rightWhen);
        const reports = await plannedReports(options, io, formatsBySubject.comparison);
        const comparison = [baseline, ...candidates].some(namesReportFile)
          ? await compareFiles(baseline, candidates, rule ?? 'selection_and_parameters', context)
          : await compareStored(baseline, candidates, rule, context);
        context.output.answer(publish(comparisonDocument, comparison), () =>
          comparisonText(comparison),
        );
        await writeReports(
          makeReportOf((generated) => comparisonReport(comparison, generated), options),
          reports,
          context,
        );
      },
    );
}

function readRule(text: string | undefined): PassedWhen | null {
  if (text === undefined) return null;
  const rule = passedWhen.safeParse(text);
  if (rule.success) return rule.data;
  throw new UsageError(
    `--right-when ${text}: Unknown value. Give selection or selection_and_parameters.`,
  );
}

async function compareStored(
  baseline: string,
  candidates: readonly string[],
  rule: PassedWhen | null,
  context: CommandContext,
): Promise<Comparison> {
  const session = await openSession(context, 'read');
  try {
    const { client } = session;
    const sides: ComparisonSide[] = [];
    for (const text of candidates) sides.push(await readSide(client, text, context));
    return await client.results.compare({
      baseline: await readSide(client, baseline, context),
      candidates: sides,
      passedWhen: rule,
    });
  } finally {
    await session.close();
  }
}

/** Compares reports; an evaluation of the workspace among them is read as its own report. */
async function compareFiles(
  baseline: string,
  candidates: readonly string[],
  rule: PassedWhen,
  context: CommandContext,
): Promise<Comparison> {
  const texts = [baseline, ...candidates];
  const session = texts.every(namesReportFile) ? null : await openSession(context, 'read');
  try {
    const [before, ...sides] = await readReportSides(texts, session?.client ?? null, context);
    if (before === undefined) throw new UsageError('compare: Give two evaluations.');
    return compare(before, sides, rule);
  } finally {
    await session?.close();
  }
}

async function readReportSides(
  texts: readonly string[],
  client: Client | null,
  context: CommandContext,
): Promise<Side[]> {
  const sides: Side[] = [];
  for (const text of texts) {
    const { name, place } = splitPlace(text);
    const from =
      namesReportFile(text) || client === null
        ? await readEvaluationReport(name, context.io)
        : await readStoredReport(client, name, context);
    sides.push({ ...reportSide(from, chooseModel(from, place)), name: text });
  }
  return sides;
}
