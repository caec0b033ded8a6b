import type { ComparedCase } from '../../../../../src-shared/domain/comparison.ts';
import type { Judgement } from '../../../../../src-shared/domain/judgement.ts';
import type { CauseGroup, FailureGroup } from '../../../../../src-shared/domain/verdict.ts';
import { actualText, expectedText } from '../../../../../src-shared/display/differenceTexts.ts';
import {
  counted,
  formatCount,
  formatRate,
  rateInterval,
} from '../../../../../src-shared/display/numbers.ts';
import { listedReferences } from '../../../../../src-shared/display/judgementTexts.ts';
import { causeTitle, scoredOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { cutText, escapeHtml } from '../../escapeText.ts';
import type { Cover, CoverNumber, NotScoredReason } from '../../report.ts';
import { rich, untrusted } from './cells.ts';
import { outcomeMark } from './glyphs.ts';
import { reasonLines } from './judgement.ts';
import { isWide, matrixTable } from './matrix.ts';
import { htmlVerdict } from './verdict.ts';

/** What fits on one printed page, next to the verdict and the numbers. */
const maxRanks = 6;
/** The more models the verdict lists, the less fits below it. */
const ranksAboveWideMatrix = (models: number): number => Math.max(3, 6 - Math.ceil(models / 2));
const maxRequestsPerGroup = 2;
const maxQueryLength = 200;
/** Cases that lead a failed check with both calls; others follow with a line each. */
const maxLeadCases = 3;
const maxCaseLines = 10;
const maxDifferenceLength = 160;
const maxKeyLength = 60;
/** Causes whose requests are shown next to the ranks, above a wide matrix. */
const groupsBesideRanks = 2;

/** Causes whose requests fit below a matrix of so many rows, in two columns. */
const groupsBelow = (rows: number): number =>
  2 * Math.min(3, Math.max(1, 5 - Math.floor(rows / 2)));

/**
 * The first page: the verdict, what goes wrong, where, in which requests, and the numbers.
 *
 * @param elsewhere where the rest is, such as "in the appendix"
 */
export async function htmlCover(
  cover: Cover,
  judgement: Judgement | undefined,
  elsewhere: string,
): Promise<string> {
  const { verdict, numbers, modelNames } = cover;
  const { groups } = await cover.failures();
  // What fails a check comes first, and takes the place of the causes and the matrix, which are in the
  // appendix too.
  const lead =
    judgement?.result === 'failed'
      ? failedCases(judgement, groups, modelNames.size, elsewhere)
      : '';
  const matrix = lead === '' ? cover.matrix : null;
  const failed = groups.length > 0;
  const wide = matrix !== null && isWide(matrix);
  const causes = failed
    ? section(
        'What goes wrong',
        ranks(cover, elsewhere, wide ? ranksAboveWideMatrix(modelNames.size) : maxRanks),
      )
    : '';
  const requests = (limit: number, columns: 1 | 2) =>
    failed
      ? section('Failing requests', failingRequests(cover, groups.slice(0, limit), columns))
      : '';
  const table = matrix === null ? '' : matrixTable(matrix);
  const picture =
    matrix === null || table === ''
      ? ''
      : section(matrix.title, `${table}${matrix.note === '' ? '' : note(matrix.note)}`);
  const middle =
    lead !== ''
      ? ''
      : wide
        ? `<div class="cols even">${causes}${requests(groupsBesideRanks, 1)}</div>${picture}`
        : `<div class="cols">${causes}${picture}</div>` +
          // What a check says takes their place on the page; they are in the appendix.
          (judgement !== undefined ? '' : requests(groupsBelow(matrix?.rows.length ?? 0), 2));
  // Next to failures, the reasons are in the appendix.
  const notScored =
    !failed && verdict.counts.not_scored > 0
      ? section('Not scored', reasonList(cover.notScored.slice(0, maxRanks)))
      : '';
  return (
    lead +
    htmlVerdict(verdict, modelNames) +
    middle +
    notScored +
    (scoredOf(verdict.counts) > 0
      ? section('Numbers behind the verdict', numberCards(numbers))
      : '') +
    '<p class="foot">A case passes when exactly the right tools are called with the right arguments. ' +
    'CI: confidence interval.</p>\n'
  );
}

/**
 * The broken cases of a failed check, each with what differs; without a baseline, cases that failed,
 * one of each cause before a second one.
 */
function failedCases(
  judgement: Judgement,
  groups: readonly FailureGroup[],
  models: number,
  elsewhere: string,
): string {
  const broken = listedReferences(judgement).flatMap(({ comparisons }) =>
    comparisons.flatMap(({ candidate }) => candidate.regressed),
  );
  const failed = groups
    .flatMap(({ rows }) => rows.map((row, at) => ({ row, at })))
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row);
  const all: readonly Pick<ComparedCase, 'caseKey' | 'query' | 'differences'>[] =
    broken.length > 0 ? broken : failed;
  if (all.length === 0) return '';
  // The longer the reasons and the more models, the less fits on the page.
  const taken = reasonLines(judgement) + 2 * (models - 1);
  const lead = Math.max(1, maxLeadCases - Math.floor(taken / maxCaseLines));
  const shown = all.slice(0, lead + Math.max(0, maxCaseLines - taken));
  const total = broken.length > 0 ? broken.length : groups.reduce((sum, { runs }) => sum + runs, 0);
  const items = shown.map(({ caseKey, query, differences: [first] }, at) => {
    const key = `<code class="f">${escapeHtml(cutText(caseKey, maxKeyLength))}</code>`;
    const differs =
      first === undefined
        ? ''
        : `<bdi class="f differs">${escapeHtml(cutText(first.text, maxDifferenceLength))}</bdi>`;
    if (at >= lead) return `<li class="title line">${key} ${differs}</li>`;
    const calls =
      first === undefined
        ? ''
        : `<span class="call">expected <code>${escapeHtml(expectedText(first))}</code></span>` +
          `<span class="call">called <code>${escapeHtml(actualText(first))}</code></span>`;
    return (
      `<li><span class="title">${key}` +
      `<bdi class="q">“${escapeHtml(cutText(query, maxQueryLength))}”</bdi></span>${differs}${calls}</li>`
    );
  });
  const more =
    total > shown.length ? note(`${formatCount(total - shown.length)} more ${elsewhere}`) : '';
  return section(
    broken.length > 0 ? 'Broken cases' : 'Failed cases',
    `<ul class="broken">${items.join('\n')}</ul>${more}`,
  );
}

const section = (title: string, content: string): string =>
  `<section><h2>${escapeHtml(title)}</h2>\n${content}</section>\n`;
const note = (text: string): string => `<p class="note">${escapeHtml(text)}</p>`;

const titleOf = ({ verdict }: Cover, cause: CauseGroup): string =>
  `${outcomeMark(cause.outcome)}<span class="pair">${rich(causeTitle(cause, verdict.severalServers))}</span>`;

/** The causes with the most failures, each with a bar. */
function ranks(cover: Cover, elsewhere: string, limit: number): string {
  const { causes, unit } = cover.verdict;
  const most = causes[0]?.runs ?? 1;
  const items = causes
    .slice(0, limit)
    .map(
      (cause) =>
        `<li>${titleOf(cover, cause)}<b>${formatCount(cause.runs)}</b>` +
        `<svg class="track c-${cause.outcome}" aria-hidden="true"><rect width="${((cause.runs / most) * 100).toFixed(1)}%" height="10" rx="2"/></svg></li>`,
    );
  const rest = causes.slice(limit);
  const runs = rest.reduce((sum, cause) => sum + cause.runs, 0);
  const more =
    rest.length === 0
      ? ''
      : note(
          `${counted(rest.length, 'more cause')} with ${counted(runs, unit.slice(0, -1))} ${elsewhere}`,
        );
  return `<ul class="ranks">${items.join('\n')}</ul>${more}`;
}

function failingRequests(cover: Cover, groups: readonly FailureGroup[], columns: 1 | 2): string {
  const items = groups.map((group) => {
    const queries = [...new Set(group.rows.map(({ query }) => query))].slice(
      0,
      maxRequestsPerGroup,
    );
    const texts = queries.map(
      (query) => `<bdi class="q">“${escapeHtml(cutText(query, maxQueryLength))}”</bdi>`,
    );
    return `<li><div class="title">${titleOf(cover, group)}<span class="soft num">${formatCount(group.runs)}</span></div>${texts.join('')}</li>`;
  });
  return `<ul class="requests${columns === 1 ? ' one' : ''}">${items.join('\n')}</ul>`;
}

const reasonList = (reasons: readonly NotScoredReason[]): string =>
  `<ul class="reasons">${reasons
    .map(
      ({ reason, message, runs }) =>
        `<li><b class="num">${formatCount(runs)}</b> <span>${reason}${message === null ? '' : `: ${untrusted(message, maxQueryLength)}`}</span></li>`,
    )
    .join('\n')}</ul>`;

const numberCards = (numbers: readonly CoverNumber[]): string =>
  `<dl class="numbers num">${numbers
    .map(({ name, estimate, note: about }) => {
      const interval = rateInterval(estimate).slice(1, -1);
      const label = estimate.low === null ? '' : '95% CI ';
      const shown = interval === '' ? '' : `<span>${label}${interval}</span>`;
      return `<div><dt>${name}</dt><dd><b>${escapeHtml(formatRate(estimate.value))}</b>${shown}</dd><dd class="note">${escapeHtml(about)}</dd></div>`;
    })
    .join('')}</dl>\n`;
