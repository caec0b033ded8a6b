import type {
  Comparison,
  ComparisonSide,
  PassedWhen,
} from '../../../../src-shared/domain/comparison.ts';
import { passedWhen } from '../../../../src-shared/domain/comparison.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { reportSide } from '../../../services/checks/reportSides.ts';
import { compare as compareSides } from '../../../services/results/compare.ts';
import { evaluationName, type Side } from '../../../services/results/side.ts';
import { comparisonReport } from '../../../services/reports/subjects/comparisonReport.ts';
import { comparisonDocument } from '../../../services/reports/documents/comparisonDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import {
  chooseModel,
  namesReportFile,
  readEvaluationReport,
  readStoredReport,
  splitPlace,
} from '../input/reportInput.ts';
import { makeReportOf, plannedReports, reportFlags, writeReports } from '../output/reportFiles.ts';
import { comparisonText } from '../output/resultShapes.ts';
import type { Client } from '../session.ts';

/** Parses `14`, `#14`, `tasks:3` or an ID; `14/2` is the second model of evaluation 14. */
async function readSide(client: Client, text: string): Promise<ComparisonSide> {
  const [, name = text, place] = /^(.+)\/(\d+)$/.exec(text) ?? [];
  const { unit, id } = await findEvaluation(client, name);
  if (place === undefined) return { id, modelSettingsId: null };
  const { number, models } = await client.evaluations.get({ unit, id });
  const model = models[Number(place) - 1];
  if (!model)
    throw new UsageError(
      `${text}: ${evaluationName(unit, number)} has ${models.length} models. Count from 1.`,
    );
  return { id, modelSettingsId: model.id };
}

export const compare = define({
  flags: [
    {
      '--right-when <rule>': {
        about: 'selection_and_parameters (default), or selection (tools only)',
        of: passedWhen,
      },
    },
    reportFlags(formatsBySubject.comparison),
  ],
  notes:
    'Name an evaluation by its number or ID, one of tasks as tasks:3, or give its JSON report. ' +
    '14/2 is the second model of #14,\nand main.json/2 that of a report.',
  example: 'compare 14 15 ' + '--json\n  touchstone compare main.json branch.json',
  async run({ options, ...context }, baseline: string, candidates: string[]) {
    const { rightWhen: rule } = options;
    const reports = await plannedReports(options, context.io, formatsBySubject.comparison);
    const comparison = [baseline, ...candidates].some(namesReportFile)
      ? await compareFiles(baseline, candidates, rule ?? 'selection_and_parameters', context)
      : await compareStored(baseline, candidates, rule ?? null, context);
    context.output.answer(publish(comparisonDocument, comparison), () =>
      comparisonText(comparison),
    );
    const make = makeReportOf((generated) => comparisonReport(comparison, generated), options);
    await writeReports(make, reports, context);
  },
});

const compareStored = (
  baseline: string,
  candidates: readonly string[],
  rule: PassedWhen | null,
  context: CommandContext,
): Promise<Comparison> =>
  inSession(context, 'read', async ({ client }) => {
    const sides: ComparisonSide[] = [];
    for (const text of candidates) sides.push(await readSide(client, text));
    return client.results.compare({
      baseline: await readSide(client, baseline),
      candidates: sides,
      passedWhen: rule,
    });
  });

/** Compares reports; an evaluation of the workspace among them is read as its own report. */
async function compareFiles(
  baseline: string,
  candidates: readonly string[],
  rule: PassedWhen,
  context: CommandContext,
): Promise<Comparison> {
  const texts = [baseline, ...candidates];
  const [before, ...sides] = await (texts.every(namesReportFile)
    ? readReportSides(texts, null, context)
    : inSession(context, 'read', ({ client }) => readReportSides(texts, client, context)));
  if (before === undefined) throw new UsageError('compare: Give two evaluations.');
  return compareSides(before, sides, rule);
}

async function readReportSides(
  texts: readonly string[],
  client: Client | null,
  { io }: CommandContext,
): Promise<Side[]> {
  const sides: Side[] = [];
  for (const text of texts) {
    const { name, place } = splitPlace(text);
    const from =
      namesReportFile(text) || client === null
        ? await readEvaluationReport(name, io)
        : await readStoredReport(client, name);
    sides.push({ ...reportSide(from, chooseModel(from, place)), name: text });
  }
  return sides;
}
