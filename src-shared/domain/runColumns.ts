import { z } from 'zod';
import type { RunRow } from './evaluation.ts';
import { confidence } from './observation.ts';
import { runMeanings } from './runMeanings.ts';

/** One measured value of a run, in every place that lists runs. */
interface RunColumn {
  /** Its column in CSV and its field in JSON. */
  name: string;
  /** What tables and CSV show; null where it was not measured. */
  value: (run: RunRow) => number | string | null;
  /** Its field in JSON: `value`, unless `read` gives more. Left out: it has none. */
  json?: { schema: z.ZodType; read?: (run: RunRow) => unknown };
  /** Its column in the cases of a report. Left out: it has none. */
  report?: { title: string; digits?: number };
  /** Its column in the window's table of cases. Left out: it has none. */
  window?: {
    /** Its id in the table; what the core can sort by is in `runSorts`. */
    id: string;
    header: string;
    hint: string;
    width: number;
    shownAs: 'rate' | 'count' | 'duration';
    /** Shown also beside an open case, where there is little space. */
    inNarrow?: boolean;
  };
}

/**
 * The measured values of a run, in the order of their columns. An entry here is a column in the
 * window, in reports and in CSV, and a field with its schema in JSON.
 */
export const runColumns: readonly RunColumn[] = [
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
];
