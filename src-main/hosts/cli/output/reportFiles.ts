import { appendFile, stat } from 'node:fs/promises';
import {
  listExtensions,
  formatFromFileName,
  formatsBySubject,
  reportRequest,
  type ReportFormat,
} from '../../../../src-shared/domain/report.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { writeReport } from '../../../services/reports/formats/writeReport.ts';
import { generatedBy } from '../../../services/reports/generatedBy.ts';
import type { Report } from '../../../services/reports/report.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import type { OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import type { Client } from '../session.ts';
import { asFileError } from './fileErrors.ts';
import { checkAppended, checkOutput, writeOutput } from './writeOutput.ts';

export type ReportOptions = OptionsOf<ReturnType<typeof reportFlags>>;

export interface PlannedReport {
  file: string;
  format: ReportFormat;
  /** The form that fits a comment. */
  short: boolean;
}

/** Whether the command has a pass or fail verdict, and the option that adds one. */
interface Gate {
  given: boolean;
  option: string;
}

/** Writes one report in a format, in parts. */
export type MakeReport = (format: ReportFormat, short: boolean) => AsyncIterable<string>;

export const reportFlags = (offered: readonly ReportFormat[]) =>
  ({
    '--report <file...>':
      `write a report: ${listExtensions(offered)}, or github for the step summary ` +
      'and its annotations',
    '--short':
      'Markdown reports fit a comment: at most 60,000 characters, with the number of rows left out; ' +
      'without one, HTML reports are one page to print',
    '--stamp <text>':
      'text instead of version and time in reports, so that they are the same bytes each time',
  }) as const;

/** Checks report files before anything runs: a bad file name must not cost an evaluation. */
export async function plannedReports(
  { report = [], short = false, stamp }: ReportOptions,
  io: CommandIo,
  offered: readonly ReportFormat[] = formatsBySubject.evaluation,
  gate?: Gate,
): Promise<PlannedReport[]> {
  checkStamp(stamp);
  const planned = report.map((file): PlannedReport => {
    if (file === 'github') return { file: summaryFile(io), format: 'github', short: false };
    const format = formatFromFileName(file, offered);
    if (format === null)
      throw new UsageError(
        `--report ${file}: Its extension decides the format. Give one of ` +
          `${listExtensions(offered)}, or github.`,
      );
    if (format === 'junit' && gate?.given === false)
      throw new UsageError(
        `--report ${file}: JUnit reports pass or fail, and no gate is given. ` +
          `Give ${gate.option}, or another format.`,
      );
    return { file, format, short: false };
  });
  // The action writes a short comment next to a whole page.
  const shortened = planned.some(({ format }) => format === 'md') ? 'md' : 'html';
  if (short) for (const each of planned) each.short = each.format === shortened;
  if (short && !planned.some((each) => each.short))
    throw new UsageError(
      '--short: Only Markdown and HTML have a short form. Leave it out, or give --report FILE.md.',
    );
  for (const { file, format } of planned)
    await (format === 'github' ? checkAppended(file) : checkOutput(file));
  return planned;
}

function summaryFile({ env }: CommandIo): string {
  const file = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (file === '')
    throw new UsageError(
      "--report github: It is written to GITHUB_STEP_SUMMARY, which isn't set. It is set " +
        'in a job of GitHub Actions; elsewhere give a file.',
    );
  return file;
}

/** Rejects a stamp that is too long for the contract. */
export function checkStamp(stamp: string | undefined): void {
  const maxLength = reportRequest.shape.stamp.unwrap().unwrap().maxLength ?? Infinity;
  if ((stamp?.length ?? 0) > maxLength)
    throw new UsageError(`--stamp: It has more than ${maxLength} characters. Shorten it.`);
}

export async function* reportTexts(
  client: Client,
  request: Parameters<Client['reports']['export']>[0],
  signal?: AbortSignal,
): AsyncIterable<string> {
  const parts = await client.reports.export(request, signal ? { signal } : {});
  for await (const { text } of parts) yield text;
  // A cancelled stream ends like a complete one.
  signal?.throwIfAborted();
}

/**
 * Writes the planned reports. Annotations go to standard error, which GitHub's runner reads too:
 * standard output holds the answer only.
 */
export async function writeReports(
  make: MakeReport,
  reports: readonly PlannedReport[],
  { io, output }: CommandContext,
): Promise<void> {
  const texts: MakeReport = (format, short) => io.secretGuard.redactTexts(make(format, short));
  for (const { file, format, short } of reports) {
    if (format !== 'github') await writeOutput(file, texts(format, short));
    else {
      await appendSummary(file, texts('github', false));
      for await (const text of texts('annotations', false)) io.stderr.write(text);
    }
    output.note(`Report: ${file}`);
  }
}

/** GitHub drops a step summary of more than 1 MiB, counted over all commands of the step. */
const maxSummaryBytes = 1000 * 1024;

/** Appends a report to the step summary, or a note if it would not fit. */
async function appendSummary(file: string, texts: AsyncIterable<string>): Promise<void> {
  let text = '';
  for await (const part of texts) text += part;
  try {
    const before = await stat(file).then(
      ({ size }) => size,
      () => 0,
    );
    const fits = before + Buffer.byteLength(text) + 1 <= maxSummaryBytes;
    await appendFile(
      file,
      `${before > 0 ? '\n' : ''}${fits ? text : "\nThe summary is full: another report doesn't fit.\n"}`,
    );
  } catch (error) {
    throw asFileError(error, file, 'write') ?? error;
  }
}

/** A report on the result of this command, built in this process. */
export const makeReportOf = (
  build: (generated: string) => Report,
  { stamp }: Pick<ReportOptions, 'stamp'>,
): MakeReport => {
  const report = build(stamp ?? generatedBy({ version: programFiles.version, clock: systemClock }));
  return (format, short) => writeReport(report, format, { short });
};
