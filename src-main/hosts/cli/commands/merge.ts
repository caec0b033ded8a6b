import { z } from 'zod';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { shardReport, type ShardReport } from '../../../../src-shared/domain/shardContent.ts';
import {
  taskShardReport,
  type TaskShardReport,
} from '../../../../src-shared/domain/taskShardContent.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import { taskContent } from '../../../../src-shared/domain/task.ts';
import { argumentsMode, caseContent } from '../../../../src-shared/domain/testCase.ts';
import type { References } from '../../../services/checks/judgeReports.ts';
import { formerHashes, type Renames } from '../../../services/checks/renames.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { answerEvaluation } from '../answerEvaluation.ts';
import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import {
  baselineFlags,
  gateFlags,
  gatesOf,
  readJudgedBy,
  readRenames,
  renameFlags,
} from '../input/gateOptions.ts';
import { checksOf, readProject, type CheckOptions } from '../input/projectOptions.ts';
import {
  parseDocument,
  readAnyReport,
  readStoredReport,
  rejectMismatches,
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
    renameFlags,
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
  const judgedBy = { ...readJudgedBy(options), isCheck: options.config !== undefined };
  const reports = await plannedReports(options, context.io);
  const parts: AnyPart[] = [];
  for (const file of files) parts.push(await readPart(file, context.io));
  const read = async (name: string | undefined) =>
    name === undefined ? null : await readAnyReport(name, context);
  const renames = readRenames(options.renamed);
  const references: References = {
    baseline: await read(options.against),
    release: await read(options.release),
    renames: { renames, former: formerOf(parts, renames) },
  };
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
    if (references.baseline !== null || references.release !== null) {
      const now = await readStoredReport(client, { unit, id });
      rejectMismatches(now, now.report.suite, references, how);
    }
    const ended = { unit, id, stamp: options.stamp, judgedBy: how, references, reports } as const;
    await answerEvaluation(client, { ...ended, isKept: false }, context);
  } finally {
    await session.close();
  }
}

/** The hashes that the cases of the parts had before the renames. */
function formerOf(parts: readonly AnyPart[], renames: Renames): ReadonlyMap<string, string> {
  const [first] = parts;
  if (first === undefined || renames.size === 0) return new Map();
  const { argumentsMode } = shardSuite.parse(parseJson(first.report.shard.suite));
  return formerHashes(
    {
      argumentsMode,
      cases: parts.flatMap((part) =>
        part.unit === 'case'
          ? part.report.shard.cases.map(({ key, content }) => ({
              ...caseContent.parse(parseJson(content)),
              key,
            }))
          : [],
      ),
      tasks: parts.flatMap((part) =>
        part.unit === 'task'
          ? part.report.shard.tasks.map(({ key, content }) => ({
              key,
              content: taskContent.parse(parseJson(content)),
            }))
          : [],
      ),
    },
    renames,
  );
}

const shardSuite = z.looseObject({ argumentsMode: argumentsMode.optional() });
const wholeReport = z.looseObject({
  format: z.enum(['touchstone-evaluation', 'touchstone-tasks']),
  shard: z.null().optional(),
});

type AnyPart = { unit: 'case'; report: ShardReport } | { unit: 'task'; report: TaskShardReport };

async function readPart(file: string, io: CommandIo): Promise<AnyPart> {
  const document = parseDocument(await readInput(file, io), file);
  const tasks = taskShardReport.safeParse(document);
  if (tasks.success) return { unit: 'task', report: tasks.data };
  const cases = shardReport.safeParse(document);
  if (cases.success) return { unit: 'case', report: cases.data };
  throw new UsageError(
    wholeReport.safeParse(document).success
      ? `${file}: It's the report of a whole evaluation. Give those of its parts, which ran with --shard.`
      : `${file}: It isn't the JSON report of a part. eval --shard I/N --report FILE.json writes one.`,
  );
}
