import { z } from 'zod';
import type { RunRow } from './evaluation.ts';
import { confidence } from './observation.ts';
import { runMeanings } from './runMeanings.ts';

/** How a value reads in the window. */
export type ShownAs = 'rate' | 'count' | 'duration' | 'usd';

/** One measured value of a run, in every place that shows runs. */
export interface RunColumn<Run> {
  /** Its column in CSV and its field in JSON. */
  name: string;
  /** What tables and CSV show; null where it was not measured. */
  value: (run: Run) => number | string | null;
  /**
   * Its field in JSON: `value`, unless `read` gives more; undefined where the run has no such
   * field. Left out: it has none.
   */
  json?: { schema: z.ZodType; read?: (run: Run) => unknown };
  /** Its column in the runs of a report. Left out: it has none. */
  report?: { title: string; digits?: number };
  /** Its column in the window's table of runs. Left out: it has none. */
  window?: {
    /** Its id in the table, by which runs can be sorted. */
    id: string;
    header: string;
    hint?: string;
    width: number;
    shownAs: ShownAs;
    /** Shown also beside an open case, where there is little space. */
    inNarrow?: boolean;
  };
  /** Its line in the totals of one run. Left out: it has none. */
  total?: {
    title: string;
    shownAs: ShownAs;
    /** False for a run that has nothing of the kind; left out: every run has it. */
    isIn?: (run: Run) => boolean;
  };
}

type JsonShape<Column extends { name: string }> = {
  [Each in Column as Each extends { json: object } ? Each['name'] : never]: Each extends {
    json: { schema: infer Schema };
  }
    ? Schema
    : never;
};

export const jsonShape = <const Column extends { name: string; json?: { schema: z.ZodType } }>(
  columns: readonly Column[],
): JsonShape<Column> =>
  Object.fromEntries(
    columns.flatMap(({ name, json }) => (json === undefined ? [] : [[name, json.schema]])),
  ) as JsonShape<Column>;

export const windowIds = <const Column extends { name: string; window?: { id: string } }>(
  columns: readonly Column[],
) =>
  columns.flatMap(({ window }) => (window === undefined ? [] : [window.id])) as Extract<
    Column,
    { window: object }
  >['window']['id'][];

/**
 * The measured values of a run of a case, in the order of their columns. An entry here is a column
 * in the window, in reports and in CSV, and a field with its schema in JSON.
 */
const described = [
  {
    name: 'parameter_correctness',
    value: ({ parameterCorrectness }) => parameterCorrectness,
    json: { schema: z.number().nullable() },
    report: { title: 'Arguments', digits: 2 },
    window: {
      id: 'parameterCorrectness',
      header: 'Parameters',
      hint: runMeanings.correctness,
      width: 112,
      shownAs: 'rate',
    },
  },
  {
    name: 'confidence',
    value: ({ confidence: known }) => known?.score ?? null,
    json: { schema: confidence.nullable(), read: ({ confidence: known }) => known },
    window: {
      id: 'confidence',
      header: 'Confidence',
      hint: runMeanings.certainty,
      width: 112,
      shownAs: 'rate',
    },
  },
  { name: 'confidence_method', value: ({ confidence: known }) => known?.method ?? null },
  {
    name: 'execution_time_ms',
    value: ({ executionTimeMs }) => executionTimeMs,
    json: { schema: z.int().nullable() },
    report: { title: 'ms' },
    window: {
      id: 'executionTimeMs',
      header: 'Latency',
      hint: runMeanings.latency,
      width: 92,
      shownAs: 'duration',
      inNarrow: true,
    },
  },
] as const satisfies readonly RunColumn<RunRow>[];
export const runColumns: readonly RunColumn<RunRow>[] = described;
export const runShape = jsonShape(described);
export const measuredSorts = windowIds(described);
