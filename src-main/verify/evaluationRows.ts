import { z } from 'zod';

/** The rows of an evaluation's report that its numbers are counted from. */
const runRow = z.looseObject({
  run_id: z.string(),
  case_id: z.string(),
  name: z.string(),
  model_id: z.string(),
  attempt: z.number(),
  status: z.string(),
  failure: z.string().nullable(),
  error: z.string().nullable(),
  classification: z.enum(['TP', 'FP', 'TN', 'FN']).nullable(),
  expected: z.array(z.string()),
  units: z.array(z.object({ expected: z.string(), called: z.string() })),
  confidence: z.object({ score: z.number(), method: z.string() }).nullable(),
  execution_time_ms: z.number().nullable(),
  matched_parameters: z.number().nullable(),
  expected_parameters: z.number().nullable(),
  parameter_completeness: z.number().nullable(),
  conforming: z.boolean().nullable(),
  hallucinated_parameters: z.array(z.string()),
  arguments_mode: z.enum(['at-least', 'exact']),
  extra_parameters: z.array(z.string()),
  answered: z.boolean(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  token_source: z.string().nullable(),
  follow_up_input_tokens: z.number(),
  follow_up_output_tokens: z.number(),
  unreported_input_tokens: z.number(),
  unreported_output_tokens: z.number(),
  unanswered_requests: z.number().optional(),
  cached: z.boolean().optional(),
  snapshot_id: z.string().nullable().optional(),
});
export type RunRow = z.infer<typeof runRow>;

const price = z.object({ input_usd: z.number(), output_usd: z.number() }).nullable();
export type Price = z.infer<typeof price>;

export const evaluationRows = z.looseObject({
  status: z.string(),
  reason: z.string().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  confusion: z.object({ labels: z.array(z.string()) }),
  settings: z.looseObject({
    high_confidence: z.number(),
    arguments_mode: z.enum(['at-least', 'exact']).optional(),
  }),
  models: z.array(
    z.looseObject({
      id: z.string(),
      provider: z.string(),
      model: z.string(),
      price,
      conditions: z.looseObject({ 'arguments mode': z.unknown() }).optional(),
      /** Null for the best model. */
      vs_best: z.looseObject({ p_value: z.number().nullable() }).nullish(),
      confusion: z.object({ labels: z.array(z.string()) }),
    }),
  ),
  runs: z.array(runRow),
  tools: z.array(z.looseObject({ tool_id: z.string() })).optional(),
  snapshot_id: z.string().nullable().optional(),
});
export type EvaluationRows = z.infer<typeof evaluationRows>;

export const noTool = '(no tool)';
const madeUp = '(phantom)';

export const isTool = (label: string): boolean => label !== noTool && label !== madeUp;

/** The tools of a row: several for a call that each of them satisfies. */
export function toolsIn(label: string): string[] {
  const parts = label.split(' | ');
  return parts.every((part) => part.includes(':')) ? parts : [label];
}

export const isShared = (label: string): boolean => isTool(label) && toolsIn(label).length > 1;

/** A call in the column of a tool that its row expects. */
export const isRight = ({ expected, called }: RunRow['units'][number]): boolean =>
  isTool(expected) && toolsIn(expected).includes(called);

/** True if the tools are right, whatever the arguments are. */
export const hasRightTools = ({ classification }: RunRow): boolean =>
  classification === 'TP' || classification === 'TN';

export const isScored = ({ status, classification }: RunRow): boolean =>
  status === 'completed' && classification !== null;

/** An answer that no schema could decide is the only one with an error. */
export const isUndecided = (run: RunRow): boolean => isScored(run) && run.error !== null;

/** True, false, or null if the schema could not decide. */
export function hasPassed(run: RunRow): boolean | null {
  if (!isScored(run) || isUndecided(run)) return null;
  if (run.classification !== 'TP') return run.classification === 'TN';
  const good =
    run.parameter_completeness === 1 &&
    run.matched_parameters === run.expected_parameters &&
    run.hallucinated_parameters.length === 0;
  return good && run.conforming !== false ? run.conforming : false;
}

/** True if a run has not ended, was cancelled by a person, or was lost with the program. */
export const wasNotRun = ({ status, failure, classification }: RunRow): boolean =>
  status === 'failed'
    ? failure === 'cancelled' || failure === 'interrupted'
    : status !== 'completed' || classification === null;

export const failureKinds = [
  'wrong_tool',
  'no_tool_called',
  'missing_call',
  'wrong_arguments',
  'unneeded_call',
  'made_up_tool',
] as const;

/** The first call that is not an expected one. */
const faultOf = ({ units }: RunRow) =>
  units.find((unit) => !isRight(unit) && !(unit.expected === noTool && unit.called === noTool));

/** What a failed run got wrong first. */
export function failureOf(run: RunRow): (typeof failureKinds)[number] {
  const { units } = run;
  const fault = faultOf(run);
  if (!fault) return 'wrong_arguments';
  if (fault.called === madeUp) return 'made_up_tool';
  if (fault.expected === noTool) return 'unneeded_call';
  if (fault.called !== noTool) return 'wrong_tool';
  return units.some(({ called }) => called !== noTool) ? 'missing_call' : 'no_tool_called';
}

/** Failed runs by what they got wrong first, the most frequent cause first. */
export function causesOf(failed: readonly RunRow[]) {
  const groups = Map.groupBy(failed, (run) => {
    const { expected, called } = faultOf(run) ??
      run.units[0] ?? { expected: noTool, called: noTool };
    return JSON.stringify([failureOf(run), expected, called]);
  });
  return [...groups]
    .map(([key, runs]) => {
      const [outcome, expected, called] = z
        .tuple([z.enum(failureKinds), z.string(), z.string()])
        .parse(JSON.parse(key));
      const cases = new Set(runs.map((run) => run.case_id)).size;
      return { outcome, expected, called, runs: runs.length, cases };
    })
    .sort(
      (a, b) =>
        b.runs - a.runs ||
        b.cases - a.cases ||
        byText(a.outcome, b.outcome) ||
        byText(a.expected, b.expected) ||
        byText(a.called, b.called),
    );
}

/** In the order of their code units, as everything in a report. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function sumOf<T>(items: Iterable<T>, value: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}
