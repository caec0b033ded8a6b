import type { EvaluationSummary, RunRow } from '../../../src-shared/domain/evaluation.ts';
import type { Estimate } from '../../../src-shared/domain/metrics.ts';
import { cutText, escapeHtml } from './escapeText.ts';
import { pageEnd, pageHead } from './htmlPage.ts';
import { outcomeOf, type BuildReport, type ReportSource, type RunOutcomeWord } from './reportSource.ts';
import { confusedPairs, factsOf, failureMeaning, intervalNote, rateCells, reportedMetrics } from './reportWords.ts';

/** Beyond so many labels a matrix is no picture any more; its cells stand in a list in any case. */
const widestMatrix = 42;
const mostConfused = 50;
const longestCell = 2_000;

const foreign = (text: string): string => `<bdi class="f">${escapeHtml(cutText(text, longestCell))}</bdi>`;
const code = (text: string): string => `<code class="f">${escapeHtml(cutText(text, longestCell))}</code>`;
const number = (value: number | string): string => `<td class="n">${value}</td>`;
const heads = (names: readonly string[], numeric: readonly string[]): string => `<thead><tr>${names.map((name) => `<th scope="col"${numeric.includes(name) ? ' class="n"' : ''}>${name}</th>`).join('')}</tr></thead>`;

function rate(estimate: Estimate): string {
  const [value, interval, n] = rateCells(estimate);
  return `<td class="n">${escapeHtml(value)} <small>${escapeHtml(interval)} n ${n}</small></td>`;
}

/** One file: no request, no handler in the markup, readable without its script. */
export const buildHtml: BuildReport = async function* (source) {
  const { evaluation, generated, models } = source;
  const title = `Evaluation #${evaluation.number} · ${cutText(evaluation.suiteName, 200)}`;
  yield pageHead(title);
  yield `<header><h1><bdi class="f">${escapeHtml(title)}</bdi></h1>\n<p class="soft">${foreign(generated)}</p></header>\n<main>\n`;
  yield facts(source);
  yield metrics(source.summary);
  if (models.length > 1) yield byModel(source);
  yield confusion(source.summary);
  yield perTool(source.summary);
  yield* runs(source);
  yield '</main>\n';
  yield pageEnd;
};

function facts({ evaluation, summary, models }: ReportSource): string {
  const rows = factsOf(evaluation, summary).map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${foreign(value)}</dd>`);
  return `<dl>${rows.join('\n')}\n<dt>Models</dt><dd>${models.map(({ label }) => foreign(label)).join(', ')}</dd></dl>\n`;
}

function metrics({ metrics: values }: EvaluationSummary): string {
  const rows = reportedMetrics.map(({ key, name, meaning }) => {
    const [value, interval, n] = rateCells(values[key]);
    return `<tr><th scope="row">${name}</th>${number(escapeHtml(value))}${number(interval)}${number(n)}<td>${meaning}</td></tr>`;
  });
  return `<section><h2>Metrics</h2>\n<div class="wide"><table>${heads(['Metric', 'Value', '95 %', 'n', 'What it is'], ['Value', '95 %', 'n'])}<tbody>${rows.join('\n')}</tbody></table></div>\n<p><small>${intervalNote}</small></p></section>\n`;
}

function byModel({ models }: ReportSource): string {
  const rows = models.map(({ label, summary: { metrics: own, counts } }) => `<tr><td>${foreign(label)}</td>${rate(own.selectionPrecision)}${rate(own.selectionRecall)}${rate(own.selectionF1)}${rate(own.parameterAccuracy)}${number(counts.failed)}</tr>`);
  const names = ['Precision', 'Recall', 'F1', 'Parameters', 'Not scored'];
  return `<section><h2>By model</h2>\n<div class="wide"><table class="sortable">${heads(['Model', ...names], names)}<tbody>${rows.join('\n')}</tbody></table></div></section>\n`;
}

/** Cells are linked to the runs that count in them, by the numbers of row and column. */
function confusion(summary: EvaluationSummary): string {
  const { labels, matrix } = summary.confusion;
  const at = new Map(labels.map((label, index) => [label, index]));
  const cell = (expected: number, selected: number, n: number): string =>
    `<a href="#cases" data-cell="${expected}-${selected}" aria-label="${escapeHtml(`${cutText(labels[expected] ?? '', 200)} expected, ${cutText(labels[selected] ?? '', 200)} selected: ${n}`)}">${n}</a>`;
  const pairs = confusedPairs(summary);
  const list = pairs.slice(0, mostConfused).map(({ expected, selected, n }) => `<tr><td>${code(expected)}</td><td>${code(selected)}</td>${number(cell(at.get(expected) ?? -1, at.get(selected) ?? -1, n))}</tr>`);
  const more = pairs.length > list.length ? `<p><small>${pairs.length - list.length} more pairs.</small></p>` : '';
  const confused = list.length === 0 ? '<p>Nothing was confused.</p>' : `<div class="wide"><table class="sortable">${heads(['Expected', 'Selected', 'Calls'], ['Calls'])}<tbody>${list.join('\n')}</tbody></table></div>${more}`;
  return `${labels.length > widestMatrix ? '' : `<section><h2>Confusion matrix</h2>\n<p class="soft">Rows: expected. Columns: selected. A call each.</p>\n${matrixTable(labels, matrix, cell)}</section>\n`}<section><h2>Most confused</h2>\n${confused}</section>\n`;
}

function matrixTable(labels: readonly string[], matrix: readonly (readonly number[])[], cell: (expected: number, selected: number, n: number) => string): string {
  const largest = Math.max(1, ...matrix.flat());
  const shade = (n: number): string => (n === 0 ? 'zero' : `h${Math.ceil((n / largest) * 4)}`);
  const short = (label: string): string => `<span class="f">${escapeHtml(cutText(label, 80))}</span>`;
  const rows = matrix.map((row, expected) => `<tr><th scope="row">${short(labels[expected] ?? '')}</th>${row.map((n, selected) => `<td class="${shade(n)}${expected === selected ? ' diagonal' : ''}">${n === 0 ? '·' : cell(expected, selected, n)}</td>`).join('')}</tr>`);
  return `<div class="wide"><table class="matrix"><thead><tr><td></td>${labels.map((label) => `<th scope="col">${short(label)}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function perTool({ perTool: rows }: EvaluationSummary): string {
  const names = ['TP', 'FP', 'FN', 'Precision', 'Recall', 'F1'];
  const body = rows.map((row) => `<tr><td>${code(row.toolId)}</td>${number(row.tp)}${number(row.fp)}${number(row.fn)}${rate(row.precision)}${rate(row.recall)}${rate(row.f1Score)}</tr>`);
  return `<section><h2>Per tool</h2>\n<div class="wide"><table class="sortable">${heads(['Tool', ...names], names)}<tbody>${body.join('\n')}</tbody></table></div></section>\n`;
}

const marks: Readonly<Record<RunOutcomeWord, { sign: string; look: string }>> = {
  right: { sign: '✓', look: 'right' },
  wrong: { sign: '✗', look: 'wrong' },
  'not decided': { sign: '?', look: 'soft' },
  'not scored': { sign: '!', look: 'failed' },
  'not run': { sign: '–', look: 'soft' },
};

async function* runs(source: ReportSource): AsyncIterable<string> {
  const { evaluation, models, summary } = source;
  const several = models.length > 1;
  const repeated = evaluation.settings.repetitions > 1;
  const labels = new Map(models.map(({ settings, label }) => [settings.id, foreign(label)]));
  const at = new Map(summary.confusion.labels.map((label, index) => [label, index]));
  const names = ['Case', 'Query', ...(several ? ['Model'] : []), ...(repeated ? ['No.'] : []), 'Expected', 'Selected', 'Outcome', 'Parameters', 'ms'];
  yield `<section id="cases"><h2>Cases</h2>\n<div id="filter" hidden role="status"><span></span><button type="button">Show all</button></div>\n<div class="wide"><table class="sortable" id="runs">${heads(names, ['No.', 'Parameters', 'ms'])}<tbody>\n`;
  for await (const run of source.runs()) {
    const units = run.units.map(({ expected, selected }) => `${at.get(expected) ?? -1}-${at.get(selected) ?? -1}`).join(' ');
    const cells = [
      `<td>${code(run.caseKey)}${run.caseName === run.caseKey ? '' : `<br>${foreign(run.caseName)}`}</td><td>${foreign(run.query)}</td>`,
      several ? `<td>${labels.get(run.modelSettingsId) ?? ''}</td>` : '',
      repeated ? number(run.repetition) : '',
      `<td>${run.expected.map(code).join('<br>')}</td><td>${run.selected.map(code).join('<br>') || '–'}</td>`,
      outcomeCell(run, source),
      number(run.parameterCorrectness === null ? '–' : run.parameterCorrectness.toFixed(2)),
      number(run.executionTimeMs ?? '–'),
    ];
    yield `<tr data-u="${units}">${cells.join('')}</tr>\n`;
  }
  yield '</tbody></table></div></section>\n';
}

function outcomeCell(run: RunRow, { evaluation }: ReportSource): string {
  const word = outcomeOf(run, evaluation.settings.rightWhen);
  const { sign, look } = marks[word];
  const trouble = run.status !== 'failed' ? '' : `<br><small>${run.failure === null ? '' : `${failureMeaning[run.failure]}. `}${foreign(run.errorMessage ?? '')}</small>`;
  return `<td><span class="o ${look}">${sign} ${word}</span>${run.classification === null ? '' : ` <small>${run.classification}</small>`}${trouble}</td>`;
}
