import { z } from 'zod';
import { comparisonSide, passedWhen } from './comparison.ts';
import { lintReport } from './lint.ts';
import { retrievalComparison } from './retrievalRun.ts';
import { scoreReport } from './security.ts';
import { tokenReport } from './tokenReport.ts';

/**
 * `github` is the summary of a step of GitHub Actions, `annotations` the commands that mark what
 * failed there.
 */
export const reportFormats = [
  'html',
  'md',
  'json',
  'csv',
  'junit',
  'sarif',
  'github',
  'annotations',
] as const;
export const reportFormat = z.enum(reportFormats);
export type ReportFormat = z.infer<typeof reportFormat>;

export const reportSubjects = [
  'evaluation',
  'comparison',
  'similarity',
  'retrieval',
  'security',
  'tokens',
  'lint',
] as const;
export type ReportSubject = (typeof reportSubjects)[number];

const commonFormats = ['html', 'md', 'json', 'csv', 'github', 'annotations'] as const;

/**
 * What there is of each subject: JUnit where something is passed or failed, SARIF where something
 * was found in a tool.
 */
export const formatsBySubject: Readonly<Record<ReportSubject, readonly ReportFormat[]>> = {
  evaluation: [...commonFormats, 'junit'],
  comparison: commonFormats,
  similarity: commonFormats,
  retrieval: [...commonFormats, 'junit'],
  security: [...commonFormats, 'junit', 'sarif'],
  tokens: [...commonFormats, 'junit'],
  lint: [...commonFormats, 'junit', 'sarif'],
};

const formatOptions = {
  format: reportFormat,
  /**
   * Markdown only: no longer than what a comment takes, with the number of rows that were left out.
   */
  short: z.boolean().default(false),
  /** Stands in place of version and time, so that the same workspace gives the same bytes. */
  stamp: z.string().max(200).nullable().default(null),
};

export const reportRequest = z.strictObject({ id: z.string(), ...formatOptions });
export type ReportRequest = z.infer<typeof reportRequest>;

/**
 * What a screen shows, as it shows it: what had to be asked for comes along, what is kept here goes
 * by its id.
 */
export const shownResult = z.discriminatedUnion('subject', [
  z.strictObject({
    subject: z.literal('comparison'),
    baseline: comparisonSide,
    candidates: z.array(comparisonSide).min(1).max(20),
    passedWhen: passedWhen.nullable(),
  }),
  z.strictObject({
    subject: z.literal('similarity'),
    id: z.string(),
    threshold: z.number().min(0).max(1),
  }),
  z.strictObject({ subject: z.literal('retrieval'), comparison: retrievalComparison }),
  z.strictObject({ subject: z.literal('scan'), serverIds: z.array(z.string()).nullable() }),
  z.strictObject({ subject: z.literal('score'), title: z.string().max(1000), score: scoreReport }),
  z.strictObject({
    subject: z.literal('tokens'),
    count: tokenReport,
    budget: z.number().int().min(0).nullable(),
  }),
  z.strictObject({ subject: z.literal('lint'), report: lintReport }),
]);
export type ShownResult = z.infer<typeof shownResult>;

export const shownReportRequest = z.strictObject({ shown: shownResult, ...formatOptions });
export type ShownReportRequest = z.infer<typeof shownReportRequest>;

interface ReportFileType {
  extension: string;
  mediaType: string;
}

export const reportFileTypes: Readonly<Record<ReportFormat, ReportFileType>> = {
  html: { extension: '.html', mediaType: 'text/html' },
  md: { extension: '.md', mediaType: 'text/markdown' },
  json: { extension: '.json', mediaType: 'application/json' },
  csv: { extension: '.csv', mediaType: 'text/csv' },
  junit: { extension: '.xml', mediaType: 'application/xml' },
  sarif: { extension: '.sarif', mediaType: 'application/sarif+json' },
  github: { extension: '.summary.md', mediaType: 'text/markdown' },
  annotations: { extension: '.txt', mediaType: 'text/plain' },
};

/**
 * Those that a file name asks for; a summary and annotations go where the runner wants them, not
 * into a file of any name.
 */
const formatsWithExtension: readonly ReportFormat[] = [
  'html',
  'md',
  'json',
  'csv',
  'junit',
  'sarif',
];

/**
 * The format that a file name asks for by its ending, among those that there are; null where none
 * is meant by it.
 */
export function formatFromFileName(
  file: string,
  offered: readonly ReportFormat[] = formatsBySubject.evaluation,
): ReportFormat | null {
  return (
    formatsWithExtension.find(
      (format) =>
        offered.includes(format) && file.toLowerCase().endsWith(reportFileTypes[format].extension),
    ) ?? null
  );
}

/** The endings that are understood, for messages. */
export const listExtensions = (offered: readonly ReportFormat[]): string =>
  formatsWithExtension
    .filter((format) => offered.includes(format))
    .map((format) => reportFileTypes[format].extension)
    .join(', ');

const maxNameLength = 80;

/**
 * A name for a saved report that stays in its folder and that every system takes, whatever it is
 * about is called.
 */
export function safeReportFileName(prefix: string, title: string, format: ReportFormat): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const kept = plain.slice(0, maxNameLength).replace(/[\ud800-\udbff]$|-+$/, '');
  return `${prefix}${kept === '' ? '' : `-${kept}`}${reportFileTypes[format].extension}`;
}

export const reportFileName = (number: number, suiteName: string, format: ReportFormat): string =>
  safeReportFileName(`evaluation-${number}`, suiteName, format);
