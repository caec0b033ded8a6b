import { formatExact } from '../../../../src-shared/display/numbers.ts';
import { resolve } from 'node:path';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import {
  modelJudge,
  ruleDetectors,
  type GateResult,
  type RuleDetector,
  type ScoreReport,
} from '../../../../src-shared/domain/security.ts';
import { scoreReport } from '../../../services/reports/subjects/scoreReport.ts';
import { scoreCorpusFile, type CorpusText } from '../../../services/security/fileScans.ts';
import { checkBaseline } from '../../../services/security/gate.ts';
import type { CommandContext } from '../commandContext.ts';
import { inSession } from '../declare.ts';
import { exitCodes, mostSevere, UsageError, type ExitCode } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { chosenDetectors, type SecurityOptions } from '../input/securityOptions.ts';
import { noteWarnings } from '../output/datasetWarnings.ts';
import { makeReportOf, writeReports, type PlannedReport } from '../output/reportFiles.ts';
import { scoreText } from '../output/securityText.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { scoreDocument } from '../../../services/reports/documents/securityDocument.ts';
import { readAdditionOptions } from '../input/modelOptions.ts';

export async function scoreDetectors(
  context: CommandContext,
  options: SecurityOptions,
  file: string,
  reports: readonly PlannedReport[],
): Promise<ExitCode> {
  if (options.failOn !== undefined)
    throw new UsageError('security: --fail-on is for scans; use --baseline with a corpus.');
  const { io, output } = context;
  const { rules, judge } = chosenDetectors(options);
  const { half } = options;
  const corpus = {
    content: await readInput(file, io),
    name: file,
    private: options.private === true,
  };
  const verdicts =
    options.verdicts === undefined
      ? null
      : { content: await readInput(options.verdicts, io), name: options.verdicts };
  const baseline = options.baseline === undefined ? null : await readInput(options.baseline, io);
  const report =
    judge && !verdicts
      ? await scoreWithModel(context, options, corpus, half, rules)
      : await scoreCorpusFile({ corpus, half, detectors: rules, verdicts });
  noteWarnings(output, report.warnings);
  const gates = baseline === null ? null : checkBaseline(report, baseline, options.baseline ?? '');
  await writeReports(
    makeReportOf(
      (generated) =>
        scoreReport({ title: `Detectors on ${file}`, score: report, gates, file }, generated),
      options,
    ),
    reports,
    context,
  );
  output.answer(publish(scoreDocument, { ...report, gates }), () => scoreText(report, gates));
  return verdictOf(report, gates, (text) => {
    output.error(text);
  });
}

function verdictOf(
  report: ScoreReport,
  gates: readonly GateResult[] | null,
  error: (text: string) => void,
): ExitCode {
  for (const { detector, passed, fpr, recall, fprCeiling, recallFloor } of gates ?? []) {
    if (passed === false)
      error(
        `${detector}: FPR ${formatExact(fpr)} (ceiling ${formatExact(fprCeiling)}), recall ` +
          `${formatExact(recall)} (floor ${formatExact(recallFloor)})`,
      );
    if (passed === null)
      error(`${detector}: A gated rate is not defined: there are no entries to count.`);
  }
  for (const { id, reason } of report.notExamined) error(`${id}: It was not examined. ${reason}`);
  return mostSevere([
    gates?.some(({ passed }) => passed === false) ? exitCodes.gateFailed : exitCodes.pass,
    report.notExamined.length > 0 || gates?.some(({ passed }) => passed === null)
      ? exitCodes.incomplete
      : exitCodes.pass,
  ]);
}

/**
 * Scores with a model judge in a temporary workspace, because only the services know how to open
 * models.
 */
async function scoreWithModel(
  context: CommandContext,
  options: SecurityOptions,
  corpus: CorpusText,
  half: ScoreReport['half'],
  rules: readonly RuleDetector[],
): Promise<ScoreReport> {
  if (options.record !== undefined && options.replay !== undefined)
    throw new UsageError(
      "security: --record and --replay can't be combined: what is replayed is already " +
        'already. Choose one.',
    );
  if (
    options.model === undefined ||
    (options.provider === undefined && options.replay === undefined)
  )
    throw new UsageError(`--detector ${modelJudge}: It needs --model, and --provider or --replay.`);
  const runs = Number(options.runs);
  const provider = options.replay === undefined ? options.provider : 'replay';
  const model = modelConfiguration.safeParse({
    provider,
    model: options.model,
    baseUrl: options.replay === undefined ? (options.baseUrl ?? null) : null,
    replayFile: options.replay === undefined ? null : resolve(options.replay),
    temperature: 0,
    ...readAdditionOptions(options, ''),
  });
  if (!model.success || !Number.isInteger(runs) || runs < 1 || runs > 25)
    throw new UsageError(
      `--provider ${provider ?? ''} --runs ${options.runs}: Give a known provider, a model, ` +
        'and 1 to 25 runs.',
    );
  return inSession(context, 'temporary', async ({ client }) => {
    const { id } = await client.security.importCorpus({
      name: corpus.name.slice(-100),
      content: corpus.content,
      private: corpus.private,
    });
    return client.security.score({
      corpusId: id,
      half,
      judge: {
        model: model.data,
        runs,
        recordFile: options.record === undefined ? null : resolve(options.record),
      },
      detectors: rules.length > 0 ? [...rules] : [...ruleDetectors],
    });
  });
}
