import { z } from 'zod';
import { comparisonSide, passedWhen } from './comparison.ts';
import type { EvaluationUnit } from './gate.ts';
import { judgement } from './judgement.ts';
import { lintReport } from './lint.ts';
import { retrievalComparison } from './retrievalRun.ts';
import { gateResult, scoreReport } from './security.ts';
import { tokenReport } from './tokenReport.ts';

export const reportSubjects = [
  'evaluation',
  'comparison',
  'similarity',
  'retrieval',
  'security',
  'tokens',
  'lint',
  'tasks',
] as const;
export type ReportSubject = (typeof reportSubjects)[number];

export const subjectOfUnit = { case: 'evaluation', task: 'tasks' } as const satisfies Record<
  EvaluationUnit,
  ReportSubject
>;

export const reportFormats = [
  'html',
  'md',
  'json',
  'csv',
  'github',
  'annotations',
  'junit',
  'sarif',
] as const;
const reportFormat = z.enum(reportFormats);
export type ReportFormat = z.infer<typeof reportFormat>;

interface ReportFormatDescription {
  extension: string;
  mediaType: string;
  /** What there is a report of in this format. */
  subjects: readonly ReportSubject[];
  /** As the export menu names it; null where only a command writes it. */
  label: string | null;
  /** The same for its short form; null where it has none. */
  shortLabel: string | null;
  /** A file name with the extension asks for it. */
  chosenByExtension: boolean;
}

/** Those with a first page, which the short form of HTML is. */
export const subjectsWithFirstPage: readonly ReportSubject[] = ['evaluation', 'tasks'];

const described = { subjects: reportSubjects, shortLabel: null, chosenByExtension: true };

/** Every format of reports. Menus, options, endings and messages are derived from this table. */
export const reportFormatTable = {
  html: {
    ...described,
    extension: '.html',
    mediaType: 'text/html',
    label: 'HTML, one file',
    shortLabel: 'HTML, one page to print',
  },
  md: {
    ...described,
    extension: '.md',
    mediaType: 'text/markdown',
    label: 'Markdown',
    shortLabel: 'Markdown for a comment',
  },
  json: { ...described, extension: '.json', mediaType: 'application/json', label: 'JSON' },
  csv: { ...described, extension: '.csv', mediaType: 'text/csv', label: 'CSV' },
  // The summary of a step of GitHub Actions, and the commands that mark what failed there: both go
  // where the runner wants them, not into a file of any name.
  github: {
    ...described,
    extension: '.summary.md',
    mediaType: 'text/markdown',
    label: null,
    chosenByExtension: false,
  },
  annotations: {
    ...described,
    extension: '.txt',
    mediaType: 'text/plain',
    label: null,
    chosenByExtension: false,
  },
  // JUnit where something is passed or failed, SARIF where something was found in a tool.
  junit: {
    ...described,
    extension: '.xml',
    mediaType: 'application/xml',
    label: 'JUnit XML',
    subjects: ['evaluation', 'retrieval', 'security', 'tokens', 'lint', 'tasks'],
  },
  sarif: {
    ...described,
    extension: '.sarif',
    mediaType: 'application/sarif+json',
    label: 'SARIF',
    subjects: ['security', 'lint'],
  },
} as const satisfies Record<ReportFormat, ReportFormatDescription>;

function formatsOf(subject: ReportSubject): readonly ReportFormat[] {
  return reportFormats.filter((format) =>
    reportFormatTable[format].subjects.some((each) => each === subject),
  );
}

export const formatsBySubject: Readonly<Record<ReportSubject, readonly ReportFormat[]>> = {
  evaluation: formatsOf('evaluation'),
  comparison: formatsOf('comparison'),
  similarity: formatsOf('similarity'),
  retrieval: formatsOf('retrieval'),
  security: formatsOf('security'),
  tokens: formatsOf('tokens'),
  lint: formatsOf('lint'),
  tasks: formatsOf('tasks'),
};

const formatOptions = {
  format: reportFormat,
  /**
   * Markdown only: limited to the length of a comment, with the number of rows that were left out.
   */
  short: z.boolean().default(false),
  /** Replaces version and time, so that the same workspace gives the same bytes. */
  stamp: z.string().max(200).nullable().default(null),
};

export const reportRequest = z.strictObject({
  id: z.string(),
  ...formatOptions,
  /** What a command decided; left out: by the thresholds that the evaluation was started with. */
  judgement: judgement.optional(),
});
export type ReportRequest = z.infer<typeof reportRequest>;

/**
 * A result on a screen. Results that are stored are passed by id; others are passed completely, so
 * that nothing is computed twice.
 */
const shownResult = z.discriminatedUnion('subject', [
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
  z.strictObject({
    subject: z.literal('score'),
    title: z.string().max(1000),
    score: scoreReport,
    gates: z.array(gateResult).nullable(),
  }),
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

const formatsWithExtension = reportFormats.filter(
  (format) => reportFormatTable[format].chosenByExtension,
);

/**
 * The format that a file name's extension stands for, among the offered ones; null if there is
 * none.
 */
export function formatFromFileName(
  file: string,
  offered: readonly ReportFormat[] = formatsBySubject.evaluation,
): ReportFormat | null {
  return (
    formatsWithExtension.find(
      (format) =>
        offered.includes(format) &&
        file.toLowerCase().endsWith(reportFormatTable[format].extension),
    ) ?? null
  );
}

/** The known extensions, for messages. */
export const listExtensions = (offered: readonly ReportFormat[]): string =>
  formatsWithExtension
    .filter((format) => offered.includes(format))
    .map((format) => reportFormatTable[format].extension)
    .join(', ');

const maxNameLength = 80;

/**
 * Makes a file name that stays in its folder and that every system accepts, whatever the subject is
 * called.
 */
export function safeReportFileName(prefix: string, title: string, format: ReportFormat): string {
  const plain = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const kept = plain.slice(0, maxNameLength).replace(/[\ud800-\udbff]$|-+$/, '');
  return `${prefix}${kept === '' ? '' : `-${kept}`}${reportFormatTable[format].extension}`;
}

export const reportFileName = (
  unit: EvaluationUnit,
  number: number,
  suiteName: string,
  format: ReportFormat,
): string => safeReportFileName(`${subjectOfUnit[unit]}-${number}`, suiteName, format);
