import type { JsonObject } from '../domain/json.ts';
import type { TaskEnd, TaskResult, TrajectoryCall, TrajectoryStep } from '../domain/task.ts';
import type { StepRelation, TrajectoryAlignment } from '../domain/taskEvaluation.ts';
import type { TokenUsage } from '../domain/observation.ts';
import { counted, formatCount } from './numbers.ts';
import type { RichText } from './verdictTexts.ts';

const maxValue = 80;
const maxLine = 240;

const short = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;

const valueText = (value: unknown): string =>
  value === undefined ? '' : short(JSON.stringify(value), maxValue);

/** Arguments on one line: `user_id "u-1", title "Buy milk"`. */
export function argumentsLine({
  arguments: given,
  argumentsText,
}: Pick<TrajectoryCall, 'arguments' | 'argumentsText'>): string {
  if (given === null) return short(argumentsText ?? '', maxLine);
  const parts = Object.entries(given).map(([name, value]) => `${name} ${valueText(value)}`);
  return parts.length === 0 ? 'no arguments' : short(parts.join(', '), maxLine);
}

/** A result on one line: its text, or its structured content, without line breaks. */
export function resultLine({ text, structured }: TaskResult): string {
  const all = text.trim() === '' && structured !== null ? valueText(structured) : text;
  const line = short(all, maxLine).replaceAll(/\s+/gu, ' ').trim();
  return line === '' ? 'empty result' : line;
}

/** How two steps compare, as a sign and in words. */
export const relationTexts: Readonly<Record<StepRelation, { glyph: string; meaning: string }>> = {
  same: { glyph: '=', meaning: 'Same step in both runs' },
  arguments: { glyph: '≈', meaning: 'Same tools, other arguments' },
  tools: { glyph: '≠', meaning: 'Other tools' },
  run_only: { glyph: '+', meaning: 'Only in this run' },
  reference_only: { glyph: '−', meaning: 'Only in the other run' },
};

const toolName = ({ tool, name }: TrajectoryCall): string => tool ?? name;

/** "calls `a` and `b`", or "answers". */
function deed({ calls }: TrajectoryStep): RichText {
  if (calls.length === 0) return ['answers'];
  const names = [...new Set(calls.map(toolName))];
  return [
    'calls ',
    ...names.flatMap((name, at): RichText => {
      const last = names.length > 2 ? ', and ' : ' and ';
      const between = at === 0 ? [] : [at === names.length - 1 ? last : ', '];
      return [...between, { code: short(name, maxValue) }];
    }),
  ];
}

/** The first argument in which two lists of calls differ, with both values; null if none has one. */
function otherArgument(
  run: TrajectoryStep,
  reference: TrajectoryStep,
): { name: string; own: string; other: string } | null {
  for (const [at, call] of run.calls.entries()) {
    const own: JsonObject = call.arguments ?? {};
    const other: JsonObject = reference.calls[at]?.arguments ?? {};
    for (const name of new Set([...Object.keys(own), ...Object.keys(other)])) {
      const [one, two] = [valueText(own[name]), valueText(other[name])];
      if (one !== two) return { name, own: one, other: two };
    }
  }
  return null;
}

/**
 * The first difference of two runs, as a sentence: "Step 4 calls `delete_task`; the other run calls
 * `complete_task`."
 */
export function divergenceText(
  { rows, first }: TrajectoryAlignment,
  run: readonly TrajectoryStep[],
  reference: readonly TrajectoryStep[],
): RichText {
  const row = first === null ? undefined : rows[first];
  const own = row?.run == null ? undefined : run[row.run];
  const other = row?.reference == null ? undefined : reference[row.reference];
  const number = (index: number | null | undefined) => `${(index ?? 0) + 1}`;
  if (own && other) {
    const argument = row?.relation === 'arguments' ? otherArgument(own, other) : null;
    const start: RichText = [`Step ${number(row?.run)} `, ...deed(own)];
    if (argument !== null)
      return [
        ...start,
        ' with ',
        { code: argument.name },
        ` ${argument.own === '' ? 'absent' : argument.own}; the other run has `,
        `${argument.other === '' ? 'none' : argument.other}.`,
      ];
    if (row?.relation === 'arguments')
      return [...start, ' with other arguments than the other run.'];
    return [...start, '; the other run ', ...deed(other), '.'];
  }
  if (own) return [`Step ${number(row?.run)} `, ...deed(own), '; the other run has no such step.'];
  if (other)
    return [
      `The other run `,
      ...deed(other),
      ` in step ${number(row?.reference)}; this run has no such step.`,
    ];
  if (run.length + reference.length === 0) return ['Neither run has a step.'];
  return ['Both runs make the same calls with the same arguments.'];
}

export const limitTexts = {
  steps: 'steps',
  toolCalls: 'tool calls',
  seconds: 'time',
  tokens: 'tokens',
} as const;

const stages = {
  environment: 'A server could not be started',
  setup: 'The setup failed',
  provider: 'The model’s service failed',
  agent: 'The agent failed',
  model: 'The reply is unusable',
  user: 'The simulated user gave no reply',
  tool: 'A server failed during a call',
  state: 'A state check could not be read',
  interrupted: 'The run was interrupted',
} as const;

/** Why a run ended, after its last step; null if the model answered the last turn. */
export function endText(end: TaskEnd): string | null {
  switch (end.by) {
    case 'answered':
      return null;
    case 'limit':
      return `The run reached its limit of ${limitTexts[end.limit]}.`;
    case 'loop':
      return `The model called ${end.tool} three times with the same arguments.`;
    case 'refused':
      return 'The model refused to work on the task.';
    case 'no_answer':
      return end.reason;
    case 'infrastructure':
      return `${stages[end.stage]}: ${end.message}`;
  }
}

/** What the model did not get of a result: "The model received the first part of 52,000 characters." */
export function cutText({ cutFrom, omitted }: TaskResult): string | null {
  const parts = [
    ...(cutFrom === null
      ? []
      : [`The model received only the first part of ${counted(cutFrom, 'character')}.`]),
    ...(omitted.length === 0 ? [] : [`Not sent to the model: ${omitted.join(', ')}.`]),
  ];
  return parts.length === 0 ? null : parts.join(' ');
}

/** What of a step's input the provider's prompt cache held; empty where it held and kept nothing. */
export function cacheText(usage: TokenUsage | null): string {
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  if (cacheRead + cacheWrite === 0) return '';
  return (
    `The provider read ${formatCount(cacheRead)} of ${formatCount(input)} input tokens from its ` +
    `prompt cache${cacheWrite === 0 ? '' : ` and added ${formatCount(cacheWrite)} to it`}.`
  );
}
