import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import type { Judgement } from '../../../src-shared/domain/judgement.ts';
import type { Outcome } from '../../../src-shared/domain/outcome.ts';
import type { ReportFormat, ReportSubject } from '../../../src-shared/domain/report.ts';
import type { Failures, Verdict } from '../../../src-shared/domain/verdict.ts';
import type { CellTone } from '../../../src-shared/display/confusionView.ts';
import type { RichText } from '../../../src-shared/display/verdictTexts.ts';
import type { Severity } from '../../../src-shared/domain/severity.ts';

/**
 * An outcome as a sign and a word, so that color is never the only difference. `name` is what
 * programs read, if it isn’t the word. `note` is our own text, `text` is untrusted.
 */
export interface Mark {
  sign: string;
  word: string;
  name?: string;
  tone: Outcome | 'good' | 'bad' | 'warning' | 'soft';
  note?: string;
  text?: string;
}

/** A number that links to the rows of the main table that it counts. */
export interface CellLink {
  n: number;
  cell: string;
  label: string;
}

/** A difference with its 95% interval. */
export interface Difference {
  value: number;
  low: number;
  high: number;
}

/**
 * The kind of a column decides how each format writes it: `text` is one or more
 * untrusted texts, `code` one or more untrusted ids, `named` an id with its name, `word` our own text, `number` a number with
 * `digits` for people and full precision for programs, `rate` an estimate, `difference` a signed
 * difference, `time` an ISO time.
 */
export type Column = { title: string; name: string; meaning?: string } & (
  | {
      kind: 'text' | 'code' | 'named' | 'word' | 'mark' | 'link' | 'rate' | 'difference' | 'time';
    }
  | {
      kind: 'number';
      digits?: number;
      /** The number for people, where digits alone would not do. */
      text?: (value: number) => string;
    }
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

/** The texts of a cell of kind `text`; empty for an empty cell. */
export const textsOf = (cell: Cell): readonly string[] =>
  typeof cell === 'string' ? [cell].filter(Boolean) : ((cell as readonly string[] | null) ?? []);

/** One row; `cells` are in the order of the columns. */
export interface ReportRow {
  cells: readonly Cell[];
  /** The matrix cells that count this row, separated by spaces. */
  units?: string;
  /** Kept before other rows when a short report leaves rows out. */
  important?: boolean;
}

/** Called once for each format that is written, and returns the rows from the start. */
type Rows<Row> = () => Iterable<Row> | AsyncIterable<Row>;

/** A table; formats decide how much of it they show. */
export interface ReportTable {
  title: string;
  columns: readonly Column[];
  rows: Rows<ReportRow>;
  note?: string;
  /** The table that matrix cells link to; at most one per report. */
  main?: boolean;
  /** Shown when there are no rows. */
  emptyText?: string;
}

/**
 * A matrix of numbers. A cell may link to the rows that it counts; `weight` is from 0 to 1.
 */
export interface ReportMatrix {
  /** Our own text. */
  title: string;
  note: string;
  rows: readonly string[];
  columns: readonly string[];
  /** Headings over neighboring columns, from the first on; untrusted. */
  bands?: readonly { name: string | null; length: number }[];
  cell: (
    row: number,
    column: number,
  ) => {
    shown: string;
    /** Without a tone, decides its color. */
    weight: number;
    /** What it counts: correct answers recede, one error is tinted, more are solid. */
    tone?: CellTone;
    link?: { cell: string; label: string };
  };
  corner: string;
}

/** What a report consists of, in order. */
export type ReportPart =
  | ({ part: 'table' } & ReportTable)
  | ({ part: 'matrix' } & ReportMatrix)
  | { part: 'note'; text: string };

/** A rate on the first page, with what it is counted over. */
export interface CoverNumber {
  name: string;
  estimate: Estimate;
  note: string;
}

export interface NotScoredReason {
  /** Our own text. */
  reason: string;
  /** What the provider or the program reported; untrusted. */
  message: string | null;
  runs: number;
}

/** A larger matrix can't be read any more; no format shows it. */
export const maxMatrixSize = 42;

/** The first page of an evaluation: what a reader needs in a minute. All else is its appendix. */
export interface Cover {
  verdict: Verdict;
  /** By the id of their settings; untrusted. */
  modelNames: ReadonlyMap<string, string>;
  /** Untrusted. */
  heading: string;
  /** Model, cases, tools and time; untrusted. */
  subtitle: string;
  /** The part of the matrix with errors; null if nothing was confused. */
  matrix: ReportMatrix | null;
  /** Read when a format shows it. */
  failures: () => Promise<Failures>;
  /** Why runs have no score, the most frequent reason first. */
  notScored: readonly NotScoredReason[];
  numbers: readonly CoverNumber[];
}

/** The finding of a report in one sentence, and what supports it. Names are untrusted. */
export interface Opening {
  headline: RichText;
  lines: readonly RichText[];
}

export interface TestCase {
  name: string;
  classname: string;
  seconds?: number;
  /** Null when the test passed. */
  outcome: null | {
    kind: 'failure' | 'error' | 'skipped';
    message: string;
    type?: string;
    text?: string;
  };
}
/** A JUnit suite. Counts are given in advance, because XML writes them before the cases. */
export interface TestSuite {
  name: string;
  timestamp?: string;
  properties: readonly (readonly [string, string])[];
  counts: { tests: number; failures: number; errors: number; skipped: number };
  cases: Rows<TestCase>;
}

/** A finding about a tool or a corpus entry, for SARIF. */
export interface ReportFinding {
  rule: string;
  about: string;
  tags: readonly string[];
  severity: Severity;
  message: string;
  subject: string;
  place: string;
  /** A relative URI under which SARIF viewers list the finding. */
  artifact: string;
  /** Where it is in that file, or in one of its own; null if there is no such file. */
  region: () => { line: number; column: number; file?: string } | null;
  /** Identifies the same finding in the next report. */
  fingerprint: string;
  accepted: string | null;
  properties: Readonly<Record<string, unknown>>;
}

/** An annotation in a pull request. */
export interface Alert {
  level: 'error' | 'warning' | 'notice';
  title: string;
  message: string;
}

/**
 * The content of a report, independent of its format. All numbers come from the functions that the
 * window and the command line use too.
 * Rows are requested while they are written, so that memory does not grow with the report.
 */
export interface Report {
  subject: ReportSubject;
  title: string;
  /** Program, version and time, or the caller's stamp; every format writes it in one place. */
  generated: string;
  /** Opens the report in every format. */
  opening: Opening;
  /** What decides whether the build passes; stands before the opening. */
  judgement?: Judgement;
  /** Only evaluations have one. */
  cover?: Cover;
  facts: readonly { name: string; value: string; untrusted?: boolean }[];
  parts: readonly ReportPart[];
  csv: ReportTable;
  /**
   * The content of JSON after its head, read when it is written. Lists of objects, sync or async,
   * are written one object per line.
   */
  document: () => JsonContent | Promise<JsonContent>;
  /** Throws INVALID when nothing was judged. */
  tests?: () => Promise<TestSuite[]> | TestSuite[];
  findings?: readonly ReportFinding[];
  /** What a reader must look at, most severe first. */
  alerts: Rows<Alert>;
}

type JsonContent = Readonly<Record<string, unknown>>;

export type WriteFormat = (report: Report, options: { short: boolean }) => AsyncIterable<string>;
export type FormatWriters = Readonly<Record<ReportFormat, WriteFormat>>;
