import { splitToolId } from '../domain/labels.ts';
import type { TaskCause } from '../domain/taskReport.ts';
import type { RunCause, RunCauseKind } from '../domain/taskTools.ts';
import { formatCount } from './numbers.ts';
import type { Outcome } from './outcomeTexts.ts';
import { limitTexts } from './trajectoryTexts.ts';
import { toolName } from './toolNames.ts';
import type { RichText } from './verdictTexts.ts';

/**
 * What a model did, in a word or two, and the outcome of a case that it is like. A failed check that
 * is about no call has the color of failed checks.
 */
export const runCauseLabels: Readonly<Record<RunCauseKind, { label: string; like: Outcome }>> = {
  wrong_tool: { label: 'wrong tool', like: 'wrong_tool' },
  stopped_early: { label: 'stopped too early', like: 'missing_call' },
  called_nothing: { label: 'called nothing', like: 'no_tool_called' },
  missed_call: { label: 'left out a call', like: 'missing_call' },
  answered_without: { label: 'answered without a look-up', like: 'missing_call' },
  wrong_arguments: { label: 'wrong arguments', like: 'wrong_arguments' },
  wrong_order: { label: 'wrong order', like: 'wrong_arguments' },
  forbidden_call: { label: 'forbidden call', like: 'unneeded_call' },
  unneeded_call: { label: 'unneeded call', like: 'unneeded_call' },
  wrong_result: { label: 'wrong result', like: 'wrong_tool' },
  wrong_answer: { label: 'wrong answer', like: 'wrong_tool' },
  not_recovered: { label: 'gave up after a fault', like: 'missing_call' },
  judged: { label: 'the judge says no', like: 'wrong_tool' },
  hidden_tool: { label: 'hidden by the client', like: 'no_tool_called' },
  loop: { label: 'loop', like: 'unneeded_call' },
  limit: { label: 'limit reached', like: 'no_tool_called' },
  refused: { label: 'refused', like: 'no_tool_called' },
  no_answer: { label: 'no answer', like: 'made_up_tool' },
};

const code = (tool: string | null): RichText[number] => ({
  code: tool === null ? 'a tool' : splitToolId(tool).tool,
});

/** What the model did as a sentence without its end: "Stopped after `a`, never called `b`". */
export function runCauseText({ kind, tool, called, limit }: RunCause): RichText {
  const [needed, did] = [code(tool), code(called)];
  const never: RichText = tool === null ? [] : [', never called ', needed];
  switch (kind) {
    case 'called_nothing':
      return tool === null ? ['Called nothing'] : ['Called nothing where ', needed, ' is needed'];
    case 'stopped_early':
      return ['Stopped after ', did, ...never];
    case 'missed_call':
      return tool === called
        ? ['Didn’t call ', needed, ' often enough']
        : ['Never called ', needed];
    case 'answered_without':
      return ['Answered without calling ', needed];
    case 'wrong_tool':
      return ['Called ', did, ' instead of ', needed];
    case 'wrong_arguments':
      return ['Wrong arguments of ', needed];
    case 'wrong_order':
      return ['Called ', needed, ' too early'];
    case 'forbidden_call':
      return ['Called ', did, ', which a check forbids'];
    case 'unneeded_call':
      return ['Called ', did, ', which the task doesn’t need'];
    case 'wrong_result':
      return ['Stopped after ', did, ' with another result than expected'];
    case 'wrong_answer':
      return called === null ? ['Wrong answer'] : ['Wrong answer after ', did];
    case 'not_recovered':
      return ['Never called ', needed, ' again after a fault on purpose'];
    case 'judged':
      return ['The judge says no'];
    case 'hidden_tool':
      return ['Couldn’t call ', needed, ', which the client hides'];
    case 'loop':
      return ['Repeated the same call of ', did];
    case 'limit':
      return [
        `Reached the limit${limit === undefined ? '' : ` of ${limitTexts[limit]}`}`,
        ...never,
      ];
    case 'refused':
      return ['Refused to work on the task'];
    case 'no_answer':
      return ['Gave no answer'];
  }
}

/** A failed run as a heading: "Failed: stopped after `a`, never called `b`". */
export function failedText(cause: RunCause): RichText {
  const [first, ...rest] = runCauseText(cause);
  const start = typeof first === 'string' ? first : '';
  return [`Failed: ${start.slice(0, 1).toLowerCase()}${start.slice(1)}`, ...rest];
}

// The first paint needs these texts, so they don't come with the schema of their kinds.
const kinds = Object.keys(runCauseLabels);

/** What models did, the most frequent first: "3 stopped too early". */
export function countRunCauses(
  causes: readonly Pick<TaskCause, 'did' | 'runs'>[],
): { kind: RunCauseKind; label: string; runs: number }[] {
  const counts = new Map<RunCauseKind, number>();
  for (const { did, runs } of causes)
    if (did !== null) counts.set(did.kind, (counts.get(did.kind) ?? 0) + runs);
  return [...counts]
    .map(([kind, runs]) => ({ kind, label: runCauseLabels[kind].label, runs }))
    .sort((a, b) => b.runs - a.runs || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** Failures by the tool at fault: the causes of each, and how many runs they have. */
export interface FailedTool {
  /** Null: no tool is known to be at fault. */
  tool: string | null;
  /** As it is shown among the others. */
  name: string | null;
  runs: number;
  causes: TaskCause[];
}

/** Failures grouped by tool, then by cause, the most frequent first; without a tool comes last. */
export function failuresByTool(causes: readonly TaskCause[]): FailedTool[] {
  const groups = new Map<string | null, FailedTool>();
  const tools = causes.map(({ did }) => did?.tool ?? null);
  for (const cause of causes) {
    if (cause.did === null) continue;
    const { tool } = cause.did;
    const known = groups.get(tool) ?? {
      tool,
      name: tool === null ? null : toolName(tool, tools),
      runs: 0,
      causes: [],
    };
    groups.set(tool, {
      ...known,
      runs: known.runs + cause.runs,
      causes: [...known.causes, cause],
    });
  }
  return [...groups.values()].sort(
    (a, b) => Number(a.tool === null) - Number(b.tool === null) || b.runs - a.runs,
  );
}

/** Failures of a tool by model: "3", or "gpt-5-mini 3, qwen3:8b 1". */
export function failuresByModel(
  runs: readonly { modelSettingsId: string }[],
  models: readonly { id: string; label: string }[],
): string {
  if (models.length < 2) return formatCount(runs.length);
  return models
    .map(({ id, label }) => ({
      label,
      count: runs.filter(({ modelSettingsId }) => modelSettingsId === id).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${formatCount(count)}`)
    .join(', ');
}
