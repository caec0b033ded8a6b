import {
  isAnyOf,
  isToolLabel,
  NO_TOOL,
  PHANTOM,
  splitToolId,
  toolsOfLabel,
} from '../domain/labels.ts';
import type { ConfusionMatrix } from '../domain/metrics.ts';
import type { Outcome } from './outcomeTexts.ts';
import { nameLabels } from './toolNames.ts';

/** A row or column: its label in the grid, its full name on hover, and its group. */
export interface MatrixAxis {
  id: string;
  label: string;
  title: string;
  /** Null without a group; such rows and columns end a run of groups. */
  group: string | null;
  /** Columns that are marked in this row in place of the one with its own id. */
  accepts?: readonly string[];
}

/** Correct answers recede; each kind of error has the color of its outcome. */
export type CellTone =
  'correct' | Extract<Outcome, 'wrong_tool' | 'no_tool_called' | 'unneeded_call' | 'made_up_tool'>;

/** The column of `failuresIn` that counts the calls of a right tool. */
export const CORRECT = '(correct call)';

export function toneOfCell(row: MatrixAxis, column: MatrixAxis): CellTone {
  if (column.id === CORRECT || isRight(row, column)) return 'correct';
  if (column.id === PHANTOM) return 'made_up_tool';
  if (row.id === NO_TOOL) return 'unneeded_call';
  return column.id === NO_TOOL ? 'no_tool_called' : 'wrong_tool';
}

const isRight = (row: MatrixAxis, column: MatrixAxis): boolean =>
  (row.accepts ?? [row.id]).includes(column.id);

/** Number of tools to show at once. The most confused come first, and a filter finds the others. */
export const maxShownTools = 40;

export interface ConfusionView {
  rows: MatrixAxis[];
  columns: MatrixAxis[];
  counts: number[][];
  /** Complete row sums, including columns that aren't shown. */
  totals: number[];
  tools: number;
  shown: number;
  /** Number of calls whose row or column isn't shown. */
  outside: number;
}

const words: Record<string, { label: string; title: string }> = {
  [NO_TOOL]: { label: 'no tool', title: 'No tool expected, or none called' },
  [PHANTOM]: {
    label: 'tool not offered',
    title: 'Tool not offered: a call to a name that the model was not given',
  },
};

/**
 * The layout of the matrix: tools, as rows only several equally correct ones, then "no tool" and, as
 * a column only, "tool not offered". `filter`
 * selects tools by a part of their ID, with the tools they are confused with.
 */
export function confusionView(
  { labels, matrix }: ConfusionMatrix,
  filter: string,
  limit = maxShownTools,
): ConfusionView {
  const places = labels
    .map((label, at) => ({ label, at }))
    .filter(({ label }) => isToolLabel(label));
  const tools = places.filter(({ label }) => !isAnyOf(label));
  const chosen = chooseTools(tools, matrix, filter.trim().toLowerCase(), limit);
  const at = (label: string): number[] => (labels.includes(label) ? [labels.indexOf(label)] : []);
  const toolPlaces = chosen.map((tool) => tool.at);
  const wanted = filter.trim().toLowerCase();
  const anyOfPlaces = places
    .filter(({ label }) => isAnyOf(label) && label.toLowerCase().includes(wanted))
    .slice(0, limit);
  const rowPlaces = [...toolPlaces, ...anyOfPlaces.map((row) => row.at), ...at(NO_TOOL)];
  const columnPlaces = [...toolPlaces, ...at(NO_TOOL), ...at(PHANTOM)];
  const nameOf = nameLabels(labels);
  const axis = (place: number): MatrixAxis => {
    const id = labels[place] ?? '';
    const { server, tool } = splitToolId(id);
    const special = words[id];
    if (isAnyOf(id))
      return {
        id,
        label: nameOf(id),
        title: `Any of these tools is correct: ${id}`,
        group: null,
        accepts: toolsOfLabel(id),
      };
    return special === undefined
      ? { id, label: nameOf(id) === id ? tool : nameOf(id), title: id, group: server }
      : { id, ...special, group: null };
  };
  const counts = rowPlaces.map((row) => columnPlaces.map((column) => matrix[row]?.[column] ?? 0));
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  return {
    rows: rowPlaces.map(axis),
    columns: columnPlaces.map(axis),
    counts,
    totals: rowPlaces.map((row) => sum(matrix[row] ?? [])),
    tools: tools.length,
    shown: chosen.length,
    outside: sum(matrix.map(sum)) - sum(counts.map(sum)),
  };
}

/**
 * The part of a matrix with errors: rows with at least one error, and the columns of their tools and
 * of the tools that were called instead.
 */
export function involvedIn(view: ConfusionView): ConfusionView {
  const rowsAt = view.rows.flatMap((row, at) => {
    const wrong = view.columns.some(
      (column, index) => !isRight(row, column) && (view.counts[at]?.[index] ?? 0) > 0,
    );
    return wrong ? [at] : [];
  });
  const columnsAt = view.columns.flatMap((column, index) => {
    const involved = rowsAt.some((at) => {
      const row = view.rows[at];
      if (row === undefined) return false;
      return isRight(row, column) || (view.counts[at]?.[index] ?? 0) > 0;
    });
    return involved ? [index] : [];
  });
  return {
    ...view,
    rows: rowsAt.flatMap((at) => view.rows[at] ?? []),
    columns: columnsAt.flatMap((index) => view.columns[index] ?? []),
    counts: rowsAt.map((at) => columnsAt.map((index) => view.counts[at]?.[index] ?? 0)),
    totals: rowsAt.map((at) => view.totals[at] ?? 0),
  };
}

interface FailureView extends ConfusionView {
  /** By row, how many of its correct calls failed by their arguments. */
  wrongArguments: number[];
}

/**
 * The failing part of a matrix: rows with an error or with wrong arguments. Their first column counts
 * the calls of a right tool, the others the tools that were called instead; that no tool was called
 * where none was expected stays in its own column.
 */
export function failuresIn(
  view: ConfusionView,
  wrongArguments: ReadonlyMap<string, number>,
): FailureView {
  const lines = view.rows
    .map((row, at) => {
      const counts = view.counts[at] ?? [];
      const right = view.columns.map((column) => isRight(row, column) && column.id !== NO_TOOL);
      const sum = (wanted: boolean) =>
        counts.reduce((total, count, index) => total + (right[index] === wanted ? count : 0), 0);
      const declined =
        row.id === NO_TOOL ? (counts[view.columns.findIndex(({ id }) => id === NO_TOOL)] ?? 0) : 0;
      return {
        row,
        total: view.totals[at] ?? 0,
        correct: sum(true),
        wrong: sum(false) - declined,
        others: counts.map((count, index) => (right[index] === true ? 0 : count)),
        wrongArguments: wrongArguments.get(row.id) ?? 0,
      };
    })
    .filter((line) => line.wrong + line.wrongArguments > 0);
  const shown = view.columns.flatMap((_, index) =>
    lines.some(({ others }) => (others[index] ?? 0) > 0) ? [index] : [],
  );
  return {
    ...view,
    rows: lines.map(({ row }) => row),
    columns: [
      {
        id: CORRECT,
        label: 'correct call',
        title: 'The expected tool was called',
        group: null,
      },
      ...shown.flatMap((index) => view.columns[index] ?? []),
    ],
    counts: lines.map(({ correct, others }) => [
      correct,
      ...shown.map((index) => others[index] ?? 0),
    ]),
    totals: lines.map(({ total }) => total),
    wrongArguments: lines.map((line) => line.wrongArguments),
  };
}

interface Place {
  label: string;
  at: number;
}

/**
 * Up to `limit` tools in their own order: those that match the filter with their confusion
 * partners, otherwise the most confused ones.
 */
function chooseTools(
  tools: readonly Place[],
  matrix: ConfusionMatrix['matrix'],
  filter: string,
  limit: number,
): Place[] {
  const together = (a: number, b: number): number =>
    a === b ? 0 : (matrix[a]?.[b] ?? 0) + (matrix[b]?.[a] ?? 0);
  if (filter === '' && tools.length <= limit) return [...tools];
  const matching =
    filter === '' ? [...tools] : tools.filter(({ label }) => label.toLowerCase().includes(filter));
  const confusion = new Map(
    tools.map(({ at }) => [
      at,
      (matrix[at] ?? []).reduce((sum, _, other) => sum + together(at, other), 0),
    ]),
  );
  const byConfusion = (a: Place, b: Place): number =>
    (confusion.get(b.at) ?? 0) - (confusion.get(a.at) ?? 0);
  const first = matching.toSorted(byConfusion).slice(0, limit);
  const kept = new Set(first.map(({ at }) => at));
  const partners =
    filter === ''
      ? []
      : tools
          .filter(({ at }) => !kept.has(at) && first.some((one) => together(one.at, at) > 0))
          .toSorted(byConfusion);
  for (const { at } of partners.slice(0, limit - first.length)) kept.add(at);
  return tools.filter(({ at }) => kept.has(at));
}
