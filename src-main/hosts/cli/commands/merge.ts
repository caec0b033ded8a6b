import { z } from 'zod';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { shardReport, type ShardReport } from '../../../../src-shared/domain/shardContent.ts';
import {
  taskShardReport,
  type TaskShardReport,
} from '../../../../src-shared/domain/taskShardContent.ts';
import { baselineProblems, mismatches } from '../../../services/checks/judgeReports.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { answerEvaluation } from '../answerEvaluation.ts';
import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { verifyReport } from '../../../verify/verifyReport.ts';
import { readInput } from '../input/files.ts';
import { baselineFlags, gateFlags, gatesOf, readJudgedBy } from '../input/gateOptions.ts';
import { checksOf, readProject, type CheckOptions } from '../input/projectOptions.ts';
import {
  mismatchError,
  parseDocument,
  readAnyReport,
  readStoredReport,
} from '../input/reportInput.ts';
import { reportFlags, plannedReports } from '../output/reportFiles.ts';
import { openTemporarySession } from '../session.ts';

export const merge = define({
  flags: [
    {
      '--config <file>': 'take thresholds, baseline and reports from this project file',
      '--suite <name>': 'the suite of a project file that has several',
      '--against <report>': 'the baseline: a JSON report of the whole suite',
    },
    gateFlags,
    baselineFlags,
    reportFlags(formatsBySubject.evaluation),
  ],
  notes:
    'The thresholds that the parts were started with are judged, unless others are given. The ' +
    'reports and the exit code\nare those of one run; with --stamp, the same bytes if the ' +
    'answers are the same.',
  example:
    'eval --suite suite.yaml --tools tools.json ' +
    '--provider builtin --shard 1/2 --report 1.json\n  touchstone merge 1.json 2.json --report ' +
    'report.html',
  async run({ options, ...context }, files: string[]) {
    const project =
      options.config === undefined ? null : await readProject(options.config, context.io);
    const [first, second] = checksOf(project, options);
    if (first === undefined || second !== undefined)
      throw new UsageError(
        'merge: The parts are of one suite. Choose that of the project with --suite.',
      );
    await runMerge(files, first.options, context);
  },
});

async function runMerge(
  files: readonly string[],
  options: CheckOptions,
  context: CommandContext,
): Promise<void> {
  const judgedBy = readJudgedBy(options);
  const reports = await plannedReports(options, context.io);
  const parts: AnyPart[] = [];
  for (const file of files) parts.push(await readPart(file, context.io));
  const baseline =
    options.against === undefined ? null : await readAnyReport(options.against, context);
  const session = await openTemporarySession(context, options.stamp);
  try {
    const { client } = session;
    const cases = parts.flatMap((part) => (part.unit === 'case' ? [part.report] : []));
    const tasks = parts.flatMap((part) => (part.unit === 'task' ? [part.report] : []));
    if (cases.length > 0 && tasks.length > 0)
      throw new UsageError('merge: Some parts ran test cases, and others ran tasks.');
    const unit = tasks.length > 0 ? 'task' : 'case';
    const { id, settings } = await (tasks.length > 0
      ? client.evaluations.merge({ unit: 'task', parts: tasks })
      : client.evaluations.merge({ parts: cases }));
    const how = gatesOf(judgedBy, settings);
    if (baseline !== null) {
      const now = await readStoredReport(client, { unit, id });
      const problems = [...baselineProblems(baseline, how), ...mismatches(baseline, now, how)];
      if (problems.length > 0)
        throw mismatchError(`${now.report.suite} and ${baseline.name}`, problems);
    }
    const ended = { unit, id, stamp: options.stamp, judgedBy: how, baseline, reports } as const;
    await answerEvaluation(client, { ...ended, isKept: false }, context);
  } finally {
    await session.close();
  }
}

const wholeReport = z.looseObject({
  format: z.enum(['touchstone-evaluation', 'touchstone-tasks']),
  shard: z.null().optional(),
});

type AnyPart = { unit: 'case'; report: ShardReport } | { unit: 'task'; report: TaskShardReport };

async function readPart(file: string, io: CommandIo): Promise<AnyPart> {
  const document = parseDocument(await readInput(file, io), file);
  const tasks = taskShardReport.safeParse(document);
  const cases = tasks.success ? null : shardReport.safeParse(document);
  if (tasks.success || cases?.success) refuseDifferent(document, file);
  if (tasks.success) return { unit: 'task', report: tasks.data };
  if (cases?.success) return { unit: 'case', report: cases.data };
  throw new UsageError(
    wholeReport.safeParse(document).success
      ? `${file}: It's the report of a whole evaluation. Give those of its parts, which ran with --shard.`
      : `${file}: It isn't the JSON report of a part. eval --shard I/N --report FILE.json writes one.`,
  );
}

/** Refuses a part whose numbers don't follow from its rows, or whose rows aren't its runs. */
function refuseDifferent(document: unknown, file: string): void {
  const changed = (how: string): UsageError =>
    new UsageError(`${file}: It was changed after it was written: ${how} Run this part again.`);
  try {
    const [first, ...others] = verifyReport(document)?.differences ?? [];
    if (first === undefined) return;
    const values = `${JSON.stringify(first.reported)}, recounted ${JSON.stringify(first.recomputed)}`;
    const more = others.length > 0 ? ` ${counted(others.length, 'more value')} differ.` : '';
    throw changed(`${first.path} is ${values}.${more} touchstone verify lists them.`);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw changed(`${error.issues[0]?.path.join('.') ?? ''} can’t be read.`);
  }
}
