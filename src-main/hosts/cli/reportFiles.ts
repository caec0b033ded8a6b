import { formatOfFile, reportFormats, reportKinds, reportRequest, type ReportFormat, type ReportRequest } from '../../../src-shared/domain/report.ts';
import { UsageError } from './exitCodes.ts';
import type { Output } from './output.ts';
import type { Client } from './session.ts';
import { checkOutput, writeOutput } from './writeOutput.ts';

export const reportEndings = reportFormats.map((format) => reportKinds[format].ending).join(', ');

export interface PlannedReport {
  file: string;
  format: ReportFormat;
}

/** Asked before anything runs: a report that can't be named or written must not cost an evaluation. */
export async function plannedReports(files: readonly string[]): Promise<PlannedReport[]> {
  const planned = files.map((file) => {
    const format = formatOfFile(file);
    if (format === null) throw new UsageError(`--report ${file}: Its ending tells the format. Give one of ${reportEndings}.`);
    return { file, format };
  });
  for (const { file } of planned) await checkOutput(file);
  return planned;
}

export function checkStamp(stamp: string | undefined): void {
  const most = reportRequest.shape.stamp.unwrap().unwrap().maxLength ?? Infinity;
  if ((stamp?.length ?? 0) > most) throw new UsageError(`--stamp: It has more than ${most} characters. Shorten it.`);
}

/** The parts of a report as they come. */
export async function* reportTexts(client: Client, request: Partial<ReportRequest> & Pick<ReportRequest, 'id' | 'format'>, signal?: AbortSignal): AsyncIterable<string> {
  for await (const { text } of await client.reports.export(request, signal ? { signal } : {})) yield text;
  // A stream that was called off ends like one that is complete.
  signal?.throwIfAborted();
}

export async function writeReports(client: Client, common: { id: string; stamp: string | null }, reports: readonly PlannedReport[], output: Output): Promise<void> {
  for (const { file, format } of reports) {
    await writeOutput(file, reportTexts(client, { ...common, format }));
    output.note(`Report: ${file}`);
  }
}
