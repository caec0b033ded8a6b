import { z } from 'zod';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { shardHead, shardVersion } from '../../../../src-shared/domain/shardContent.ts';
import { taskShardHead } from '../../../../src-shared/domain/taskShardContent.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { scanPart, type ScannedPart } from '../../../services/runs/merge/partFile.ts';
import { FileTooLarge } from '../../../runtime/plainFile.ts';
import { formerHashes, renameInSuiteFile } from '../../../services/checks/renames.ts';
import { fromSuiteFile } from '../../../services/suites/suiteFileCodec.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { answerEvaluation } from '../answerEvaluation.ts';
import { define } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readInlineSources } from '../input/evaluationSource.ts';
import {
  maxInputBytes,
  readInput,
  storeInput,
  storeText,
  tooLarge,
  type StoredInput,
} from '../input/files.ts';
import {
  baselineFlags,
  gateFlags,
  gatesOf,
  readJudgedBy,
  renameFlags,
} from '../input/gateOptions.ts';
import { checksOf, readProject, type CheckOptions } from '../input/projectOptions.ts';
import { refuseDifferent } from '../input/partRows.ts';
import { holdReport, parseDocument, readHeld, readStoredReport } from '../input/reportInput.ts';
import { asFileError } from '../output/fileErrors.ts';
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
  const read = await readHeld(options, context);
  const { renames } = read.renames;
  if (renames.size > 0 && options.suite !== undefined) {
    const { suite } = await readInlineSources({ suite: options.suite }, context.io);
    if (suite)
      read.renames = {
        renames,
        former: formerHashes(fromSuiteFile(renameInSuiteFile(suite, renames)), renames),
      };
  }
  const parts: StoredPart[] = [];
  const session = await openTemporarySession(context, options.stamp);
  try {
    for (const file of files) parts.push(await readPart(file, context.io));
    const { client } = session;
    const unit = parts[0]?.unit ?? 'case';
    if (parts.some((part) => part.unit !== unit))
      throw new UsageError('merge: Some parts ran test cases, and others ran tasks.');
    const { id, settings } = await client.evaluations.merge({
      unit,
      files: parts.map(({ path }) => path),
    });
    const how = gatesOf(judgedBy, settings);
    let held = read;
    if ((held.baseline ?? held.release) !== null) {
      const now = await readStoredReport(client, { id });
      held = holdReport(now, now.report.suite, held, how, options);
    }
    const ended = { unit, id, stamp: options.stamp, judgedBy: how, reports } as const;
    const { isSnapshot } = parts[0] ?? {};
    const source = isSnapshot === undefined ? {} : { isSnapshot };
    await answerEvaluation(client, { ...ended, ...held, ...source, isKept: false }, context);
  } finally {
    await session.close();
    for (const part of parts) await part.remove();
  }
}

const wholeReport = z.looseObject({
  format: z.enum(['touchstone-evaluation', 'touchstone-tasks']),
  shard: z.null().optional(),
});

const partOfOtherVersion = z.looseObject({
  shard: z.looseObject({
    index: z.number(),
    of: z.number(),
    version: z
      .number()
      .refine((version) => version !== shardVersion)
      .optional(),
  }),
});

interface StoredPart extends StoredInput {
  unit: EvaluationUnit;
  /** Whether its tools came from a file; known of cases. */
  isSnapshot?: boolean;
}

/** Looks through a part, run by run, and says what it is of. */
async function readPart(file: string, io: CommandIo): Promise<StoredPart> {
  const { head, ...stored } = await scanInput(file, io);
  const document = parseDocument(head, file);
  const { success: isOther, data: other } = partOfOtherVersion.safeParse(document);
  if (isOther) {
    await stored.remove();
    const [wrote, next] =
      (other.shard.version ?? 1) < shardVersion
        ? ['An earlier', 'Run this part again with this version, and merge the new reports.']
        : ['A later', 'Merge with the version that ran the parts.'];
    throw new UsageError(`${file}: ${wrote} version of Touchstone wrote this part. ${next}`);
  }
  const isTasks = taskShardHead.safeParse(document).success;
  const cases = isTasks ? null : shardHead.safeParse(document);
  if (isTasks || cases?.success) await refuseDifferent({ ...stored, head: document }, file);
  if (isTasks) return { ...stored, unit: 'task' };
  if (cases?.success) {
    const { inlineTools } = JSON.parse(cases.data.shard.suite) as { inlineTools?: boolean };
    return { ...stored, unit: 'case', isSnapshot: inlineTools === true };
  }
  await stored.remove();
  throw new UsageError(
    wholeReport.safeParse(document).success
      ? `${file}: It's the report of a whole evaluation. Give those of its parts, which ran with --shard.`
      : `${file}: It isn't the JSON report of a part. eval --shard I/N --report FILE.json writes one.`,
  );
}

/** A part as UTF-8, and all of it but its runs. */
async function scanInput(file: string, io: CommandIo): Promise<StoredInput & ScannedPart> {
  const stored = await storeInput(file, io);
  try {
    return { ...stored, ...(await scanPart(stored.path)) };
  } catch (error) {
    await stored.remove();
    if (error instanceof FileTooLarge) throw tooLarge(file, maxInputBytes);
    if (!(error instanceof TypeError)) throw asFileError(error, file) ?? error;
    // UTF-16, or refused with the place that isn't text.
    const decoded = await storeText(await readInput(file, io));
    try {
      return { ...decoded, ...(await scanPart(decoded.path)) };
    } catch (again) {
      await decoded.remove();
      throw again instanceof TypeError ? new UsageError(`${file}: It isn't JSON.`) : again;
    }
  }
}
