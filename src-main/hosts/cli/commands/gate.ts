import { judgementDocument } from '../../../services/reports/documents/judgementDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { judgementLines } from '../../../../src-shared/display/judgementTexts.ts';
import type { Judgement } from '../../../../src-shared/domain/judgement.ts';
import { judgeReport, noReferences, type JudgedBy } from '../../../services/checks/judgeReports.ts';
import { noRenames } from '../../../services/checks/renames.ts';
import type { NamedReport } from '../../../services/checks/reportSides.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, type OptionsOf } from '../declare.ts';
import { exitCodeOfJudgement, exitCodes, mostSevere, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import {
  baselineFlags,
  gateFlags,
  readJudgedBy,
  readRenames,
  readTolerance,
  rejectMetrics,
  renameFlags,
} from '../input/gateOptions.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import {
  asEvaluationReport,
  holdReport,
  namesReportFile,
  parseDocument,
  readAnyReport,
  readStoredReport,
} from '../input/reportInput.ts';
import type { Judged } from '../input/thresholds.ts';
import { judgeNumbers } from '../output/gateNumbers.ts';
import { readReport, type Report } from '../output/gateReport.ts';
import { openSession, type Session } from '../session.ts';

type Options = OptionsOf<readonly [typeof gateFlags, typeof baselineFlags, typeof renameFlags]>;

/** A report of an evaluation with its runs, or the numbers of any other one. */
type Loaded = { evaluation: NamedReport } | { evaluation: null; file: string; report: Report };

export const gate = define({
  flags: [
    {
      '--baseline <report>':
        'a report of the same kind, or an evaluation, with or without "tolerance": {metric: number}',
    },
    gateFlags,
    baselineFlags,
    renameFlags,
  ],
  notes:
    'Reads report files, and evaluations by number or ID. Without --tolerance, the paired ' +
    'test of compare decides\nwhether a model is worse than in the baseline. Another suite, ' +
    'other models or other cases are refused.',
  example:
    'eval --suite ' +
    'todo-sample --provider builtin --report now.json\n  touchstone gate now.json --baseline ' +
    'before.json --min pass_rate=0.5',
  async run({ options, ...context }, file: string) {
    const how = readJudgedBy(options);
    if ((options.baseline ?? options.release) === undefined && how.thresholds.length === 0)
      throw new UsageError(
        'gate: There is nothing to compare the report with. Give --baseline, --min or --max.',
      );
    const [now, before] = await loadBoth(file, options.baseline, context);
    const release =
      options.release === undefined ? null : await readAnyReport(options.release, context);
    if (now.evaluation && (before === null || before.evaluation))
      answerJudgement(
        judgeEvaluations(now.evaluation, before?.evaluation ?? null, release, { how, options }),
        context,
      );
    else answerNumbers(judgeOther(now, before, options, how), context);
  },
});

/** Reads the report and its baseline. A workspace is opened only for evaluations of it. */
async function loadBoth(
  file: string,
  baseline: string | undefined,
  context: CommandContext,
): Promise<[Loaded, Loaded | null]> {
  const names = baseline === undefined ? [file] : [file, baseline];
  let session: Session | null = null;
  try {
    const loaded: Loaded[] = [];
    for (const name of names) {
      if (namesReportFile(name)) {
        const document = parseDocument(await readInput(name, context.io), name);
        const evaluation = asEvaluationReport(document, name);
        loaded.push(
          evaluation
            ? { evaluation }
            : { evaluation: null, file: name, report: readReport(document, name) },
        );
      } else {
        session ??= await openSession(context, 'read');
        const found = await findEvaluation(session.client, name, context);
        loaded.push({ evaluation: await readStoredReport(session.client, found) });
      }
    }
    const [now, before = null] = loaded;
    if (now === undefined) throw new UsageError('gate: Give a report.');
    return [now, before];
  } finally {
    await session?.close();
  }
}

function judgeEvaluations(
  now: NamedReport,
  baseline: NamedReport | null,
  release: NamedReport | null,
  { how, options }: { how: JudgedBy; options: Options },
): Judgement {
  rejectMetrics(now.report.unit, how);
  const renames = { ...noRenames, renames: readRenames(options.renamed) };
  const held = { ...noReferences, baseline, release, renames };
  return judgeReport(now, holdReport(now, now.name, held, how, options), how, []);
}

function answerJudgement(judgement: Judgement, { io, output }: CommandContext): void {
  const { failed, not_decided: notDecided, ...check } = publish(judgementDocument, judgement);
  output.answer(
    { passed: judgement.result === 'passed', failed, not_decided: notDecided, check },
    () => judgementLines(judgement).join('\n'),
  );
  io.setExitCode(exitCodeOfJudgement(judgement));
}

/** Reports without runs: only their numbers can be compared. */
function judgeOther(now: Loaded, before: Loaded | null, options: Options, how: JudgedBy): Judged {
  const numbersOf = (loaded: Loaded): Report =>
    loaded.evaluation ? { ...loaded.evaluation.report } : loaded.report;
  const report = numbersOf(now);
  const baseline = before && numbersOf(before);
  return judgeNumbers({
    report,
    baseline,
    tolerances: (options.tolerance ?? []).map(readTolerance),
    thresholds: how.thresholds,
    allowFailed: how.allowFailed,
  });
}

function answerNumbers({ failed, notDecided }: Judged, { io, output }: CommandContext): void {
  const passed = failed.length + notDecided.length === 0;
  output.answer({ passed, failed, not_decided: notDecided }, () =>
    passed
      ? 'The gate passed.'
      : [
          ...failed.map((text) => `failed: ${text}`),
          ...notDecided.map((text) => `undecided: ${text}`),
        ].join('\n'),
  );
  io.setExitCode(
    mostSevere([
      notDecided.length > 0 ? exitCodes.incomplete : exitCodes.pass,
      failed.length > 0 ? exitCodes.gateFailed : exitCodes.pass,
    ]),
  );
}
