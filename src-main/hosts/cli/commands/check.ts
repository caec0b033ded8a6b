import { tooFewToCompare } from '../../../../src-shared/display/comparisonAnswer.ts';
import {
  evaluationSettings,
  type EvaluationRequest,
} from '../../../../src-shared/domain/evaluation.ts';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import { taskHash } from '../../../services/tasks/taskHash.ts';
import type { SuiteFile } from '../../../../src-shared/domain/suiteFile.ts';
import {
  differencesOf,
  pairModels,
  sharedCases,
  type CheckedSubject,
} from '../../../services/checks/comparability.ts';
import { decidesByTest } from '../../../services/results/judge.ts';
import { baselineProblems, type JudgedBy } from '../../../services/checks/judgeReports.ts';
import { formerHash, formerHashes } from '../../../services/checks/renames.ts';
import { itemsOf, type NamedReport } from '../../../services/checks/reportSides.ts';
import type { SideItem } from '../../../services/results/side.ts';
import { inSuite } from '../../../../src-shared/domain/testCase.ts';
import { questionHash } from '../../../services/evaluations/read/questionOf.ts';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import { fromSuiteFile, type SuiteContent } from '../../../services/suites/suiteFileCodec.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, headed } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { evalFlags, readClients, type EvalOptions } from '../input/evalOptions.ts';
import { baselineFlags, hiddenFlags, readJudgedBy, renameFlags } from '../input/gateOptions.ts';
import { wholeNumber } from '../input/optionValues.ts';
import { refuseOwnAddresses } from '../input/ownAddresses.ts';
import {
  checksOf,
  projectFileName,
  readProject,
  type CheckOptions,
  type Project,
} from '../input/projectOptions.ts';
import { holdAgainst, readHeld } from '../input/reportInput.ts';
import { answerSuites } from '../output/suiteAnswers.ts';
import { runEvaluation } from '../runEvaluation.ts';
import type { Client } from '../session.ts';

type StartedRequest = Pick<EvaluationRequest, 'inline' | 'suiteId' | 'models'>;

export const check = define({
  flags: [
    {
      '--config <file>': `the project file (default: ${projectFileName}, if there is one)`,
      '--against <report>':
        'the baseline: a JSON report of the same suite and models, or an evaluation',
      '--repetitions-up-to <n>':
        'run each case once, and those that disagree with the baseline up to n times in all; every case ' +
        'n times if there is no baseline, or with --new-baseline',
      '--own-addresses':
        'in a pull request where keys are set: let the project file name base_url and command',
    },
    headed('Against the baseline:', baselineFlags, renameFlags, hiddenFlags),
    ...evalFlags,
  ],
  notes:
    `Reads ${projectFileName} (\`touchstone init\` writes one); options override it. Without ` +
    '--against, only thresholds decide.\nEach model fails if the paired test finds it worse ' +
    'than in the baseline.',
  example: 'check --suite todo-sample --provider ' + 'builtin --min pass_rate=0.5',
  run: ({ options, ...context }) => runCheck(options, context),
});

async function runCheck(flags: CheckOptions, context: CommandContext): Promise<void> {
  const project = await readProject(flags.config, context.io);
  const [first, ...others] = checksOf(project, flags);
  if (first === undefined) throw new Error('A check has a suite.');
  const prices = project?.prices ?? [];
  if (flags.ownAddresses !== true)
    for (const { options } of [first, ...others])
      refuseOwnAddresses(options, flags.config ?? projectFileName, context.io.env);
  if (others.length === 0) {
    await (
      await prepareCheck(first.options, prices, context)
    )(context);
    return;
  }
  const suites = [first, ...others];
  // Nothing is run before every suite is known to be in order.
  const runs: { label: string; run: RunCheck }[] = [];
  for (const { label, options } of suites) {
    const run = await prepareCheck(options, prices, context);
    await run(context, true);
    runs.push({ label: label ?? '', run });
  }
  await answerSuites(runs, context);
}

/** Runs a check, or only finds out whether it could be run. */
type RunCheck = (context: CommandContext, isRehearsal?: boolean) => Promise<void>;

/** Checks the options of one suite and reads its baseline. */
async function prepareCheck(
  merged: CheckOptions,
  prices: Project['prices'],
  context: CommandContext,
): Promise<RunCheck> {
  const options = requireSubject(merged);
  const judgedBy = { ...readJudgedBy(merged), isCheck: true };
  const upTo = readUpTo(merged);
  const read = await readHeld(merged, context);
  const { baseline, release } = read;
  const { renames } = read.renames;
  const problems = baseline === null ? [] : baselineProblems(baseline, judgedBy);
  const ofRelease = release === null ? [] : baselineProblems(release, judgedBy);
  if (ofRelease.length > 0 || (problems.length > 0 && !merged.newBaseline))
    throw new UsageError([...problems, ...ofRelease].join('\n'));
  if (
    (merged.against ?? merged.release) === undefined &&
    (merged.tolerance ?? merged.maxBroken) !== undefined
  )
    throw new UsageError(
      'check: --tolerance and --max-broken need a baseline. Give --against REPORT.',
    );
  const clients = readClients(merged.client);
  if (clients.length > 1 && (merged.against ?? merged.release) !== undefined)
    throw new UsageError(
      `--client ${clients.join(',')}: A baseline is compared with one client. Give one, or leave the ` +
        'baseline out.',
    );
  return (own, isRehearsal = false) =>
    runEvaluation(
      {
        options,
        judgedBy,
        renames,
        isRehearsal,
        ...(upTo !== null && { repetitions: { upTo, isBaseline: merged.newBaseline === true } }),
        beforeStart: async (client, request, mode) => {
          await setPrices(client, request, prices, options.declared !== undefined);
          if (baseline === null && release === null) return { ...read, warnings: [] };
          const suite = fromSuiteFile(
            request.inline?.suite ?? (await exportedSuite(client, request.suiteId)),
          );
          const former = formerHashes(suite, renames);
          const asked = { suite, former, mode, models: request.models };
          const held = { ...read, renames: { renames, former } };
          const warnings: string[] = [];
          if (release !== null) {
            const now = subjectOf(asked, release);
            // A release is compared over what both still share.
            const terms = { ...judgedBy, allowChangedCases: true };
            holdAgainst(now.suite, release, differencesOf(sidesOf(release), now, terms), {});
            warnings.push(...testWarnings(release, now, judgedBy));
          }
          if (baseline === null) return { ...held, warnings };
          const now = subjectOf(asked, baseline);
          const found = [...problems, ...differencesOf(sidesOf(baseline), now, judgedBy)];
          const against = holdAgainst(now.suite, baseline, found, merged);
          if (against.baseline) warnings.push(...testWarnings(against.baseline, now, judgedBy));
          return { ...held, ...against, warnings };
        },
      },
      own,
    );
}

/** How often cases that disagree with the baseline are to be asked; null: as often as all others. */
function readUpTo(options: CheckOptions): number | null {
  const { repetitionsUpTo: given, repetitions, shard } = options;
  const upTo = wholeNumber(
    given,
    '--repetitions-up-to',
    evaluationSettings.shape.repetitionsUpTo.unwrap(),
  );
  if (upTo === undefined) return null;
  if (repetitions !== undefined)
    throw new UsageError(
      'check: --repetitions asks every case, and --repetitions-up-to those that disagree. Give one.',
    );
  if (shard !== undefined)
    throw new UsageError(
      '--repetitions-up-to: A part is not compared with a baseline, so nobody knows what disagrees. ' +
        'Give --repetitions N with --shard.',
    );
  return upTo;
}

/** Says what is missing: `eval` requires it as options, a project file may give it too. */
function requireSubject(options: CheckOptions): EvalOptions {
  const { suite } = options;
  if (suite === undefined)
    throw new UsageError(
      `check: There is no ${projectFileName} here, and no suite. Give --suite and --provider, ` +
        'or run `touchstone init`.',
    );
  if ((options.provider ?? options.models ?? options.replay) === undefined)
    throw new UsageError('check: No model is given. Add models to the file, or give --provider.');
  return { ...options, suite };
}

/** Prices of a file are for evaluations on files: those of a workspace are its user's own. */
async function setPrices(
  client: Client,
  { inline }: StartedRequest,
  prices: Project['prices'],
  isTemporary: boolean,
): Promise<void> {
  if (prices.length === 0) return;
  if (!isTemporary && (!inline?.suite || !inline.tools))
    throw new UsageError(
      'prices: They can only be given for a suite and tools that are files. Set those of a ' +
        'workspace with `touchstone models prices`.',
    );
  for (const { provider, model, input_usd: inputUsd, output_usd: outputUsd } of prices)
    await client.models.setPrice({ provider, model, inputUsd, outputUsd });
}

const sidesOf = ({ report }: NamedReport): NamedReport['report'] & { cases: SideItem[] } => ({
  ...report,
  cases: itemsOf(report),
});

/** What a check asks, before it is asked. */
interface AskedSuite {
  suite: SuiteContent;
  /** The hashes of its cases before its tools were renamed. */
  former: ReadonlyMap<string, string>;
  /** Of tasks; null for cases. */
  mode: ExecutionMode | null;
  models: StartedRequest['models'];
}

/** What would be run, so that a baseline of something else is known before a model is asked. */
function subjectOf(
  { suite, former, mode, models }: AskedSuite,
  baseline: NamedReport,
): CheckedSubject {
  const { name, cases, tasks, argumentsMode } = suite;
  const known = new Set(baseline.report.runs.map((run) => run.case_hash));
  const entries =
    mode === null
      ? cases.map((each) => [each.key, questionHash(inSuite(each, { argumentsMode }))] as const)
      : tasks.map(({ key, content }) => [key, taskHash(content)] as const);
  return {
    unit: mode === null ? 'case' : 'task',
    mode,
    // Its label is known only after the runs.
    user: baseline.report.user,
    suite: name,
    models,
    cases: entries.map(([caseKey, hash], position) => ({
      testCaseId: null,
      caseKey,
      content: formerHash(caseKey, hash, known, former),
      position,
    })),
  };
}

/** Whether the paired test can find anything worse than the baseline. */
function testWarnings(baseline: NamedReport, now: CheckedSubject, judgedBy: JudgedBy): string[] {
  if (!decidesByTest(judgedBy)) return [];
  const before = sidesOf(baseline);
  const candidates = judgedBy.pooled ? 1 : pairModels(before.models, now.models).pairs.length;
  const text = tooFewToCompare(now.unit, sharedCases(before.cases, now.cases), candidates);
  if (text === null) return [];
  const others = judgedBy.maxBroken !== null || judgedBy.tolerances.size > 0;
  const nextStep = others ? '' : ' Or let --max-broken or --tolerance decide.';
  return [`${baseline.name}: ${text}${nextStep}`];
}

async function exportedSuite(client: Client, id: string | null): Promise<SuiteFile> {
  if (id === null) throw new Error('A suite is a file or has an id.');
  const { text } = await client.suites.export({ id, format: 'json' });
  const { file } = readSuiteFile(text);
  if (file === null) throw new Error('An exported suite can be read.');
  return file;
}
