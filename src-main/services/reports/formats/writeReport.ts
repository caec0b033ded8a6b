import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import {
  formatsBySubject,
  reportFormatTable,
  type ReportFormat,
} from '../../../../src-shared/domain/report.ts';
import type { FormatWriters, Report } from '../report.ts';
import { writeAnnotations } from './writeAnnotations.ts';
import { writeCsv } from './writeCsv.ts';
import { writeHtml } from './html/writeHtml.ts';
import { writeJson } from './writeJson.ts';
import { writeJunit } from './writeJunit.ts';
import { writeMarkdown, writeSummary } from './writeMarkdown.ts';
import { writeSarif } from './writeSarif.ts';

const writers: FormatWriters = {
  html: writeHtml,
  md: writeMarkdown,
  json: writeJson,
  csv: writeCsv,
  junit: writeJunit,
  sarif: writeSarif,
  github: writeSummary,
  annotations: writeAnnotations,
};

/**
 * Length of the yielded parts in characters. V8 keeps a text of 128 KiB or more until it collects the
 * whole heap, and shorter ones are gone at once.
 */
const chunkLength = 16 * 1024;

/**
 * Writes a report in one format, in parts. Throws INVALID when the subject has no such format, or
 * the format no short form.
 */
export function writeReport(
  report: Report,
  format: ReportFormat,
  { short = false }: { short?: boolean } = {},
): AsyncIterable<string> {
  if (short && reportFormatTable[format].shortLabel === null) {
    throw new ServiceError('INVALID', {
      thing: `A short report as ${format}`,
      cause: 'Only Markdown and HTML have a short form.',
      nextStep: 'Choose md or html, or leave it long.',
      field: 'short',
    });
  }
  if (!formatsBySubject[report.subject].includes(format)) {
    throw new ServiceError('INVALID', {
      thing: `A report of ${report.subject} as ${format}`,
      cause: 'There is none.',
      nextStep: `Choose one of ${formatsBySubject[report.subject].join(', ')}.`,
      field: 'format',
    });
  }
  return inChunks(writers[format](report, { short }));
}

/** Joins small texts into larger parts, because each part crosses a process border. */
async function* inChunks(texts: AsyncIterable<string>): AsyncIterable<string> {
  let [buffer, length]: [string[], number] = [[], 0];
  for await (const text of texts) {
    buffer.push(text);
    length += text.length;
    if (length < chunkLength) continue;
    yield buffer.join('');
    [buffer, length] = [[], 0];
  }
  if (length > 0) yield buffer.join('');
}
