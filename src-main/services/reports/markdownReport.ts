import type { RunRow } from '../../../src-shared/domain/evaluation.ts';
import { codeSpan, cutText } from './escapeText.ts';
import { confusedPairs, factsOf, failureMeaning, intervalNote, rateCells, reportedMetrics } from './reportWords.ts';
import { outcomeOf, type BuildReport, type ReportSource } from './reportSource.ts';

/** What a comment of a code host takes, with some room. */
export const shortMarkdown = 60_000;
const omissionRoom = 120;
const shortCell = 160;
const wideMatrix = 20;
const foreignFacts = ['Suite', 'State', 'Tools shown'];

/** A table or a text; in a short report rows that no longer fit are counted instead. */
type Part = { text: string } | { title: string; head: readonly string[]; rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]> };

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

export const buildMarkdown: BuildReport = (source) => write(partsOf(source, false), Infinity);
export const buildShortMarkdown: BuildReport = (source) => write(partsOf(source, true), shortMarkdown);

/** Rows are written while they fit and every table can still say how many it left out. */
async function* write(parts: readonly Part[], most: number): AsyncIterable<string> {
  let room = most - parts.length * omissionRoom;
  for (const part of parts) {
    if ('text' in part) {
      room -= part.text.length;
      yield part.text;
      continue;
    }
    const head = `\n## ${part.title}\n\n${line(part.head)}${line(part.head.map(() => '---'))}`;
    room -= head.length;
    let [shown, omitted] = [0, 0];
    for await (const row of part.rows) {
      const text = line(row);
      if (omitted > 0 || text.length > room) {
        omitted += 1;
        continue;
      }
      if (shown === 0) yield head;
      shown += 1;
      room -= text.length;
      yield text;
    }
    if (shown === 0) yield omitted > 0 ? head : `\n## ${part.title}\n\nNone.\n`;
    if (omitted > 0) yield `\n${omitted} ${omitted === 1 ? 'row' : 'rows'} omitted.\n`;
  }
}

function partsOf(source: ReportSource, short: boolean): Part[] {
  const { evaluation, summary, models, generated } = source;
  const foreign = (text: string): string => codeSpan(short ? cutText(text, shortCell) : text);
  const facts = factsOf(evaluation, summary).map(([name, value]) => `- ${name}: ${foreignFacts.includes(name) ? foreign(value) : value}\n`);
  const metrics = reportedMetrics.map(({ key, name, meaning }) => [name, ...rateCells(summary.metrics[key]), meaning]);
  const several: Part[] = models.length < 2 ? [] : [{
    title: 'By model',
    head: ['Model', 'F1', '95 %', 'n', 'Not scored'],
    rows: models.map(({ label, summary: own }) => [foreign(label), ...rateCells(own.metrics.selectionF1), String(own.counts.failed)]),
  }];
  const runHead = ['Case', 'Query', ...(models.length > 1 ? ['Model'] : []), ...(evaluation.settings.repetitions > 1 ? ['No.'] : []), 'Expected', 'Selected', 'Outcome', 'ms'];
  const labels = new Map(models.map(({ settings, label }) => [settings.id, label]));
  const runCells = (run: RunRow): string[] => [
    foreign(run.caseKey),
    foreign(run.query),
    ...(models.length > 1 ? [foreign(labels.get(run.modelSettingsId) ?? '')] : []),
    ...(evaluation.settings.repetitions > 1 ? [String(run.repetition)] : []),
    foreign(run.expected.join(', ')),
    foreign(run.selected.join(', ')),
    outcomeText(run, source, foreign),
    run.executionTimeMs === null ? '–' : String(run.executionTimeMs),
  ];
  const isRight = (run: RunRow): boolean => outcomeOf(run, evaluation.settings.rightWhen) === 'right';
  async function* rows(right: boolean) {
    for await (const run of source.runs()) if (isRight(run) === right) yield runCells(run);
  }
  return [
    { text: `# Evaluation ${evaluation.number}\n\n${codeSpan(short ? cutText(generated, shortCell) : generated)}\n\n${facts.join('')}- Models: ${cutModels(models.map(({ label }) => foreign(label)), short)}\n` },
    { title: 'Metrics', head: ['Metric', 'Value', '95 %', 'n', 'What it is'], rows: metrics },
    { text: `\n${intervalNote}\n` },
    ...several,
    ...matrixParts(source, short, foreign),
    { title: 'Per tool', head: ['Tool', 'TP', 'FP', 'FN', 'Precision', 'Recall', 'F1', 'n'], rows: summary.perTool.map((row) => [foreign(row.toolId), String(row.tp), String(row.fp), String(row.fn), rateCells(row.precision)[0], rateCells(row.recall)[0], ...[rateCells(row.f1Score)].flatMap(([value, , n]) => [value, n])]) },
    { title: 'Wrong, not scored or not run', head: runHead, rows: rows(false) },
    { title: 'Right', head: runHead, rows: rows(true) },
  ];
}

/** The list of models stands in the head, which is never cut by rows. */
function cutModels(labels: readonly string[], short: boolean): string {
  const shown = short ? labels.slice(0, 10) : labels;
  return `${shown.join(', ')}${shown.length < labels.length ? ` and ${labels.length - shown.length} more` : ''}`;
}

function matrixParts({ summary }: ReportSource, short: boolean, foreign: (text: string) => string): Part[] {
  const { labels, matrix } = summary.confusion;
  const confused: Part = { title: 'Most confused', head: ['Expected', 'Selected', 'Calls'], rows: confusedPairs(summary).map(({ expected, selected, n }) => [foreign(expected), foreign(selected), String(n)]) };
  if (short || labels.length > wideMatrix) return [confused];
  return [{ title: 'Confusion matrix', head: ['expected ↓ selected →', ...labels.map(foreign)], rows: matrix.map((row, at) => [foreign(labels[at] ?? ''), ...row.map(String)]) }, confused];
}

function outcomeText(run: RunRow, { evaluation }: ReportSource, foreign: (text: string) => string): string {
  const word = outcomeOf(run, evaluation.settings.rightWhen);
  if (word === 'not scored') return `${word}: ${run.failure === null ? '–' : failureMeaning[run.failure]}${run.errorMessage === null ? '' : ` ${foreign(run.errorMessage)}`}`;
  return run.classification === null ? word : `${word} (${run.classification})`;
}
