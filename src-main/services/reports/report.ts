import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import type { ReportFormat, ReportSubject } from '../../../src-shared/domain/report.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';

/**
 * An outcome as a sign and a word, so that no colour carries it alone. `note` is our own text,
 * `text` foreign.
 */
export interface Mark {
  sign: string;
  word: string;
  tone: 'right' | 'wrong' | 'failed' | 'soft';
  note?: string;
  text?: string;
}

/** A number that opens the rows of the main table which count in it. */
export interface CellLink {
  n: number;
  cell: string;
  label: string;
}

export interface Difference {
  value: number;
  low: number;
  high: number;
}

/**
 * What a column holds decides how each format writes it: `text` is foreign, `code` a foreign id or
 * several, `named` an id with its name, `word` our own text, `number` a number with `digits` for
 * people and all of them for programs, `rate` an estimate, `difference` one with its sign.
 */
export type Column = { title: string; name: string; meaning?: string } & (
  | { kind: 'text' | 'code' | 'named' | 'word' | 'mark' | 'link' | 'rate' | 'difference' }
  | { kind: 'number'; digits?: number }
);
export type Cell =
  | string
  | number
  | boolean
  | null
  | readonly string[]
  | { id: string; name: string }
  | Mark
  | CellLink
  | Estimate
  | Difference;

export interface ReportRow {
  cells: readonly Cell[];
  /** The cells of a matrix that the row counts in. */
  units?: string;
  /** Stands first where a short report leaves rows out. */
  important?: boolean;
}

type Rows<Row> = () => Iterable<Row> | AsyncIterable<Row>;

export interface ReportTable {
  title: string;
  columns: readonly Column[];
  rows: Rows<ReportRow>;
  note?: string;
  /** The table that the cells of a matrix open. One of a report, at most. */
  main?: boolean;
  /** What is said where it has no row. */
  emptyText?: string;
}

/** A square of numbers. Cells hold a link, a rate from 0 to 1, or nothing. */
export interface ReportMatrix {
  /** Our own words. */
  title: string;
  note: string;
  rows: readonly string[];
  columns: readonly string[];
  cell: (
    row: number,
    column: number,
  ) => { shown: string; weight: number; link?: { cell: string; label: string } };
  corner: string;
}

export type ReportPart =
  | ({ part: 'table' } & ReportTable)
  | ({ part: 'matrix' } & ReportMatrix)
  | { part: 'note'; text: string };

export interface TestCase {
  name: string;
  classname: string;
  seconds?: number;
  /** Null: passed. */
  outcome: null | {
    kind: 'failure' | 'error' | 'skipped';
    message: string;
    type?: string;
    text?: string;
  };
}
export interface TestSuite {
  name: string;
  timestamp?: string;
  properties: readonly (readonly [string, string])[];
  counts: { tests: number; failures: number; errors: number; skipped: number };
  cases: Rows<TestCase>;
}

/** Something found in a tool or an entry, for readers of SARIF. */
export interface ReportFinding {
  rule: string;
  about: string;
  tags: readonly string[];
  severity: Severity;
  message: string;
  subject: string;
  place: string;
  /** Where readers of SARIF look for it: a relative address. */
  artifact: string;
  /** What makes it the same finding next time. */
  fingerprint: string;
  accepted: string | null;
  properties: Readonly<Record<string, unknown>>;
}

export interface Alert {
  level: 'error' | 'warning' | 'notice';
  title: string;
  message: string;
}

/**
 * What a report says, once, for every format: the numbers are those that the window and the command
 * line show.
 */
export interface Report {
  subject: ReportSubject;
  title: string;
  /** Program, version and time, or what the caller fixed: stands in one place of each report. */
  generated: string;
  facts: readonly { name: string; value: string; untrusted?: boolean }[];
  parts: readonly ReportPart[];
  /** What CSV holds: one table. */
  csv: ReportTable;
  /**
   * What JSON holds after its head; lists of objects are written line by line, also those that come
   * one by one.
   */
  document: Readonly<Record<string, unknown>>;
  /** Throws INVALID where nothing was to be passed or failed. */
  tests?: () => Promise<TestSuite[]> | TestSuite[];
  findings?: readonly ReportFinding[];
  /** What a reader has to look at, the gravest first. */
  alerts: Rows<Alert>;
}

export type WriteFormat = (report: Report, options: { short: boolean }) => AsyncIterable<string>;
export type FormatWriters = Readonly<Record<ReportFormat, WriteFormat>>;
