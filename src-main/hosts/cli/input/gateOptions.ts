import { passedWhen } from '../../../../src-shared/domain/comparison.ts';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { gateMetrics, metricsOf, type EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { readClientFacts } from '../../../services/clients/clientViews.ts';
import type { JudgedBy } from '../../../services/checks/judgeReports.ts';
import type { Renames } from '../../../services/checks/renames.ts';
import type { OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { wholeNumber } from './optionValues.ts';
import { readThreshold } from './thresholds.ts';

/** Of a command that judges a result, and maybe compares it with a baseline. */
export const gateFlags = {
  '--min <metric=x...>': 'exit with 1 if a metric is lower: pass_rate.low=0.8',
  '--max <metric=x...>': 'exit with 1 if a metric is higher',
  '--allow-failed <n>': 'number of runs that may have no score without exit code 3',
  '--pooled': 'judge all models together instead of each by itself',
} as const;
export type GateOptions = OptionsOf<typeof gateFlags>;

export const baselineFlags = {
  '--tolerance <metric=x...>':
    'how far a metric may fall below the baseline; without one for the pass or success rate, a paired test ' +
    'decides whether it is worse',
  '--max-broken <n>': 'number of cases that may pass in the baseline and fail now',
  '--allow-changed-cases':
    'compare only the cases that both share, although others were changed, added or removed',
  '--release <report>':
    'a second baseline that stays until you replace it, such as the report of the last release; only ' +
    'the cases that both share are compared',
  '--new-baseline': "if the baseline can't be compared, say what differs and go on without it",
} as const;
export type BaselineOptions = OptionsOf<typeof baselineFlags>;

/** Of a command that also judges what clients hide of the tools. */
export const hiddenFlags = {
  '--max-hidden <n>':
    'number of tools that may not reach the model in a client (`touchstone clients`)',
  '--hidden-in <client...>':
    'with --max-hidden: only these clients count (default: all that are known)',
} as const;
export type HiddenOptions = OptionsOf<typeof hiddenFlags>;

function readHidden({ maxHidden, hiddenIn }: HiddenOptions): Pick<JudgedBy, 'hidden'> {
  const max = wholeNumber(maxHidden, '--max-hidden');
  if (max === undefined) {
    if (hiddenIn === undefined) return {};
    throw new UsageError('check: --hidden-in needs a limit. Give --max-hidden N.');
  }
  const ids: readonly string[] = readClientFacts().map(({ id }) => id);
  const unknown = hiddenIn?.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new UsageError(`--hidden-in ${unknown}: It isn't known. Give one of ${ids.join(', ')}.`);
  return { hidden: { max, clients: hiddenIn ?? null } };
}

/** Of a command that compares a result with a baseline. */
export const renameFlags = {
  '--renamed <old=new...>':
    'a tool that has another name than in the baseline: expectations follow, and its cases are paired',
} as const;

/** New names of tools by their old ones. */
export const readRenames = (renamed: readonly string[] = []): Renames =>
  new Map(
    renamed.map((text) => {
      const [, old, now] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
      if (old === undefined || now === undefined)
        throw new UsageError(
          `--renamed ${text}: It needs the form OLD=NEW, each the name of a tool or SERVER:TOOL.`,
        );
      return [old, now] as const;
    }),
  );

/** Metric names are compared by letters and digits only: `recall_at_5` is `recall_at.5`. */
export const normalizedName = (name: string): string =>
  name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

export function readTolerance(text: string): [string, number] {
  const [, name = '', limit = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const value = Number(limit);
  if (name === '' || limit.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(
      `--tolerance ${text}: It needs the form METRIC=NUMBER, the number 0 or more.`,
    );
  return [name, value];
}

/** Refuses limits on metrics that an evaluation of this kind doesn't have. */
export function rejectMetrics(
  unit: EvaluationUnit,
  { thresholds, tolerances }: Pick<JudgedBy, 'thresholds' | 'tolerances'>,
): void {
  const known = metricsOf[unit];
  const asked = [...thresholds.map(({ metric }) => metric), ...tolerances.keys()];
  const other = asked.find((metric) => !known.some((name) => name === metric));
  if (other !== undefined)
    throw new UsageError(`${other}: It isn’t a metric of ${unit}s. They have ${known.join(', ')}.`);
}

/** What the options hold a result against. */
export function readJudgedBy(options: GateOptions & BaselineOptions & HiddenOptions): JudgedBy {
  return {
    thresholds: [
      ...(options.min ?? []).map((text) => readThreshold(text, 'min')),
      ...(options.max ?? []).map((text) => readThreshold(text, 'max')),
    ],
    tolerances: new Map(
      (options.tolerance ?? []).map(readTolerance).map(([name, value]) => {
        const plain = normalizedName(name);
        return [gateMetrics.find((known) => normalizedName(known) === plain) ?? name, value];
      }),
    ),
    maxBroken: wholeNumber(options.maxBroken, '--max-broken') ?? null,
    allowFailed: wholeNumber(options.allowFailed, '--allow-failed') ?? 0,
    allowChangedCases: options.allowChangedCases ?? false,
    pooled: options.pooled ?? false,
    when: passedWhen.enum.selection_and_parameters,
    ...readHidden(options),
  };
}

/** What a stored evaluation is held against: what is given now, or what it was started with. */
export const gatesOf = (
  judgedBy: JudgedBy,
  { gates, pooledGates }: Pick<EvaluationSettings, 'gates' | 'pooledGates'>,
): JudgedBy => ({
  ...judgedBy,
  thresholds: judgedBy.thresholds.length > 0 ? judgedBy.thresholds : gates,
  pooled: judgedBy.pooled || pooledGates,
});
