import type { TaskRunRow } from '../domain/taskEvaluation.ts';
import { type CellTone, CORRECT, type MatrixAxis } from './confusionView.ts';
import type { Outcome } from './outcomeTexts.ts';
import { runCauseLabels, runCauseText } from './runCauseTexts.ts';
import { toolName } from './toolNames.ts';
import { plainText } from './verdictTexts.ts';

type Run = Pick<TaskRunRow, 'runId' | 'outcome' | 'cause' | 'toolUse'>;

/** More tools than this are read in the list beside it. */
const maxTools = 12;
const maxColumns = 5;

interface DidCell {
  count: number;
  tone: CellTone;
  /** What the first of its runs did, and that run; null where there is none. */
  text: string | null;
  runId: string | null;
}

export interface DidView {
  rows: MatrixAxis[];
  columns: MatrixAxis[];
  cells: DidCell[][];
}

/** The texts without repetition, the most frequent first. */
const byCount = (texts: readonly string[]): string[] =>
  [...Map.groupBy(texts, (text) => text)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text]) => text);

/** A cell of the matrix knows four kinds of errors; the others are like one of them. */
const tones: Partial<Record<Outcome, CellTone>> = {
  no_tool_called: 'no_tool_called',
  missing_call: 'no_tool_called',
  unneeded_call: 'unneeded_call',
  made_up_tool: 'made_up_tool',
};

const axis = (id: string, label: string): MatrixAxis => ({ id, label, title: id, group: null });

/**
 * What models did where a tool was needed: a row per tool at fault, first a column for the runs that
 * called it and passed, then one per other deed. Counts are runs of tasks; a run has one cause.
 */
export function didView(runs: readonly Run[]): DidView {
  const failed = runs.flatMap(({ runId, cause }) =>
    cause === null || cause.tool === null ? [] : [{ ...cause, tool: cause.tool, runId }],
  );
  const calledTools = failed.map(({ called }) => called);
  const columnOf = ({ kind, called }: (typeof failed)[number]): string =>
    kind === 'wrong_tool' && called !== null
      ? toolName(called, calledTools)
      : runCauseLabels[kind].label;
  const tools = byCount(failed.map(({ tool }) => tool)).slice(0, maxTools);
  const deeds = byCount(failed.map(columnOf)).slice(0, maxColumns);
  const passed = (tool: string): Run[] =>
    runs.filter(
      ({ outcome, toolUse }) =>
        outcome === 'succeeded' &&
        toolUse?.tools.some((one) => one.tool === tool && one.calls > 0) === true,
    );
  return {
    rows: tools.map((tool) => axis(tool, toolName(tool, tools))),
    columns: [axis(CORRECT, 'called it and passed'), ...deeds.map((deed) => axis(deed, deed))],
    cells: tools.map((tool) => [
      {
        count: passed(tool).length,
        tone: 'correct',
        text: null,
        runId: passed(tool)[0]?.runId ?? null,
      },
      ...deeds.map((deed): DidCell => {
        const here = failed.filter((one) => one.tool === tool && columnOf(one) === deed);
        const [first] = here;
        return {
          count: here.length,
          tone: (first && tones[runCauseLabels[first.kind].like]) ?? 'wrong_tool',
          text: first === undefined ? null : plainText(runCauseText(first)),
          runId: first?.runId ?? null,
        };
      }),
    ]),
  };
}
