import { formatExact } from '../../../../src-shared/display/numbers.ts';
import type { Command } from 'commander';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError, mostSevere } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import {
  gateNumbersOf,
  numbersOf,
  normalizedName,
  readReport,
  type Report,
} from '../output/gateReport.ts';
import { judgeNumbers, readThreshold } from '../input/thresholds.ts';

interface GateOptions {
  baseline?: string;
  tolerance?: string[];
  min?: string[];
  max?: string[];
  allowFailed: string;
}

/** Tolerance for the rounding of stored numbers. */
const roundingTolerance = 1e-9;
/** Metrics that are gated by default: those of a result's summary. */
const defaultMetrics = [
  'pass_rate',
  'selection_precision',
  'selection_recall',
  'selection_f1',
  'parameter_accuracy',
];

export function addGate(declared: Command, io: CommandIo): void {
  declared
    .option(
      '--baseline <file>',
      'a report of the same kind, with or without "tolerance": {metric: number}',
    )
    .option('--tolerance <metric=x...>', 'how far a metric may fall below the baseline')
    .option('--min <metric=x...>', 'exit with 1 if a metric is lower: pass_rate.low=0.8')
    .option('--max <metric=x...>', 'exit with 1 if a metric is higher')
    .option('--allow-failed <n>', 'number of runs of the report that may be unscored', '0')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone eval --suite todo-sample --provider builtin --json > ' +
        'now.json\n  touchstone gate now.json --baseline before.json --tolerance ' +
        'pass_rate=0.02',
    )
    .action(async (file: string, options: GateOptions, command: Command) => {
      const { output } = contextOf(command, io);
      const thresholds = [
        ...(options.min ?? []).map((text) => readThreshold(text, 'min')),
        ...(options.max ?? []).map((text) => readThreshold(text, 'max')),
      ];
      if (options.baseline === undefined && thresholds.length === 0)
        throw new UsageError(
          'gate: There is nothing to compare the report with. Give --baseline, --min or --max.',
        );
      const report = readReport(await readInput(file, io), file);
      const judged = judgeNumbers(gateNumbersOf(report), thresholds);
      if (options.baseline !== undefined) {
        const baseline = readReport(await readInput(options.baseline, io), options.baseline);
        const against = judgeBaseline(
          report,
          baseline,
          (options.tolerance ?? []).map(readTolerance),
        );
        judged.failed.push(...against.failed);
        judged.notDecided.push(...against.notDecided);
      }
      const unscored = unscoredRuns(report);
      const allowed = Number(options.allowFailed);
      if (!Number.isInteger(allowed) || allowed < 0)
        throw new UsageError(`--allow-failed ${options.allowFailed}: It needs a whole number.`);
      if (unscored > allowed) judged.notDecided.push(`${unscored} runs are not scored`);
      const passed = judged.failed.length + judged.notDecided.length === 0;
      output.answer({ passed, failed: judged.failed, not_decided: judged.notDecided }, () =>
        passed
          ? 'The gate passed.'
          : [
              ...judged.failed.map((text) => `failed: ${text}`),
              ...judged.notDecided.map((text) => `undecided: ${text}`),
            ].join('\n'),
      );
      io.setExitCode(
        mostSevere([
          judged.notDecided.length > 0 ? exitCodes.incomplete : exitCodes.pass,
          judged.failed.length > 0 ? exitCodes.gateFailed : exitCodes.pass,
        ]),
      );
    });
}

function readTolerance(text: string): [string, number] {
  const [, name = '', limit = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const value = Number(limit);
  if (name === '' || limit.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(
      `--tolerance ${text}: It needs the form METRIC=NUMBER, the number 0 or more.`,
    );
  return [name, value];
}

function judgeBaseline(
  report: Report,
  baseline: Report,
  given: readonly [string, number][],
): { failed: string[]; notDecided: string[] } {
  for (const version of ['corpus_version', 'golden_version'] as const) {
    const [reportVersion, baselineVersion] = [report[version], baseline[version]];
    if (
      typeof reportVersion === 'string' &&
      typeof baselineVersion === 'string' &&
      reportVersion !== baselineVersion
    ) {
      throw new UsageError(
        `gate: The ${version.replace('_', ' ')} differs (${reportVersion}, ` +
          `${baselineVersion}). Make a baseline ` +
          'of the same version.',
      );
    }
  }
  const [now, before] = [numbersOf(report), numbersOf(baseline)];
  const wanted = [...Object.entries(baseline.tolerance ?? {}), ...given];
  const tolerances = new Map(
    wanted.length > 0
      ? wanted.map(([name, value]) => [normalizedName(name), value])
      : defaultMetrics.filter((name) => before.has(name)).map((name) => [normalizedName(name), 0]),
  );
  const names = new Map([...before.keys()].map((name) => [normalizedName(name), name]));
  const unknown = [...tolerances.keys()].find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new UsageError(
      'gate: The baseline has no metric ' +
        `${wanted.find(([name]) => normalizedName(name) === unknown)?.[0] ?? unknown}. It has ` +
        `${[...before.keys()].slice(0, 20).join(', ')}.`,
    );
  if (tolerances.size === 0)
    throw new UsageError(
      'gate: The baseline has no tolerance and none of the usual metrics. Give ' +
        '--tolerance METRIC=NUMBER.',
    );
  const judged: { failed: string[]; notDecided: string[] } = { failed: [], notDecided: [] };
  for (const [plain, tolerance] of tolerances) {
    const name = names.get(plain) ?? plain;
    const [baselineValue, value] = [before.get(name) ?? null, now.get(name) ?? null];
    if (baselineValue === null || value === null)
      judged.notDecided.push(
        `${name} is not defined in ${baselineValue === null ? 'the baseline' : 'the report'}`,
      );
    else if (baselineValue - value > tolerance + roundingTolerance)
      judged.failed.push(
        `${name} fell from ${formatExact(baselineValue)} to ` +
          `${formatExact(value)}, by more ` +
          `than ${tolerance}`,
      );
  }
  return judged;
}

function unscoredRuns(report: Report): number {
  const counts = report['counts'];
  if (typeof counts !== 'object' || counts === null) return 0;
  const { failed, open } = counts as { failed?: unknown; open?: unknown };
  return (typeof failed === 'number' ? failed : 0) + (typeof open === 'number' ? open : 0);
}
