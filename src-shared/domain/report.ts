import { z } from 'zod';

export const reportFormats = ['html', 'md', 'json', 'csv', 'junit'] as const;
export const reportFormat = z.enum(reportFormats);
export type ReportFormat = z.infer<typeof reportFormat>;

export const reportRequest = z.strictObject({
  id: z.string(),
  format: reportFormat,
  /** Markdown only: no longer than what a comment takes, with the number of rows that were left out. */
  short: z.boolean().default(false),
  /** Stands in place of version and time, so that the same workspace gives the same bytes. */
  stamp: z.string().max(200).nullable().default(null),
});
export type ReportRequest = z.infer<typeof reportRequest>;

interface ReportKind {
  ending: string;
  mediaType: string;
}

export const reportKinds: Readonly<Record<ReportFormat, ReportKind>> = {
  html: { ending: '.html', mediaType: 'text/html' },
  md: { ending: '.md', mediaType: 'text/markdown' },
  json: { ending: '.json', mediaType: 'application/json' },
  csv: { ending: '.csv', mediaType: 'text/csv' },
  junit: { ending: '.xml', mediaType: 'application/xml' },
};

/** The format that a file name asks for by its ending; null where none is meant by it. */
export function formatOfFile(file: string): ReportFormat | null {
  return reportFormats.find((format) => file.toLowerCase().endsWith(reportKinds[format].ending)) ?? null;
}

const longestName = 80;

/** A name for a saved report that stays in its folder and that every system takes, whatever the suite is called. */
export function reportFileName(number: number, suiteName: string, format: ReportFormat): string {
  const words = suiteName
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const kept = words.slice(0, longestName).replace(/[\ud800-\udbff]$|-+$/, '');
  return `evaluation-${number}${kept === '' ? '' : `-${kept}`}${reportKinds[format].ending}`;
}
