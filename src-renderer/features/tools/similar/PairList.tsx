import { Fragment, useState, type KeyboardEvent } from 'react';
import { Action } from '../../../ui/fields/controls.tsx';
import type { ListedPair } from '../../../../src-shared/contract/similarity.ts';
import { isFlagged, type SimilarityAnalysis } from '../../../../src-shared/domain/similarity.ts';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { confusedText, pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import { EmptyState } from '../../../ui/notices/notices.tsx';
import { Cut } from '../../../ui/text/Foreign.tsx';
import type { ChosenPair } from './chosenPair.ts';
import classes from './similarity.module.css';
import { compareText } from '../../../../src-shared/domain/compareText.ts';
import { seriesInk } from '../../../ui/charts/seriesStyle.tsx';

interface PairListProps {
  analysis: SimilarityAnalysis;
  rows: readonly ListedPair[];
  total: number;
  threshold: number;
  selected: ChosenPair | null;
  onOpen: (pair: ChosenPair) => void;
}

const perPage = 40;
const minRows = 8;
const minUnflagged = 5;

/** Pairs by score: flagged ones first, with the numbers that they have in the map. */
export function PairList({ analysis, rows, total, threshold, selected, onOpen }: PairListProps) {
  const flagged = rows.filter((pair) => isFlagged(pair, threshold)).length;
  const [pages, setPages] = useState(0);
  const first = Math.min(perPage, Math.max(minRows, flagged + minUnflagged));
  const shown = rows.slice(0, first + pages * perPage);
  if (rows.length === 0) return <EmptyState message="No pair matches these filters." />;
  return (
    <>
      <ol
        className={classes.pairs}
        aria-label={`Pairs by ${analysis.measure}`}
        onKeyDown={moveFocus}
      >
        {shown.map((pair, at) => (
          <Fragment key={`${pair.a} ${pair.b}`}>
            {at === flagged && (
              <li className={classes.cutLine}>Below {pairScoreText(threshold)}, not flagged</li>
            )}
            <li>
              <PairButton
                analysis={analysis}
                pair={pair}
                flagged={at < flagged}
                isOpen={selected?.a === pair.a && selected.b === pair.b}
                onOpen={onOpen}
              />
            </li>
          </Fragment>
        ))}
      </ol>
      <div className={classes.more}>
        {shown.length < rows.length ? (
          <Action
            label={`Show ${Math.min(perPage, rows.length - shown.length)} more`}
            variant="subtle"
            small
            onClick={() => setPages(pages + 1)}
          />
        ) : null}
        <span className={classes.quiet}>
          {rows.length < total
            ? `The first ${counted(rows.length, 'pair')} of ${formatCount(total)}`
            : counted(total, 'pair')}
        </span>
      </div>
    </>
  );
}

interface PairButtonProps {
  analysis: SimilarityAnalysis;
  pair: ListedPair;
  flagged: boolean;
  isOpen: boolean;
  onOpen: (pair: ChosenPair) => void;
}

function PairButton({ analysis, pair, flagged, isOpen, onOpen }: PairButtonProps) {
  const [a, b] = [analysis.tools[pair.a], analysis.tools[pair.b]];
  const servers = [...new Set([a?.server ?? '', b?.server ?? ''])];
  return (
    <button
      type="button"
      className={classes.pair}
      aria-current={isOpen}
      onClick={() => onOpen({ a: pair.a, b: pair.b })}
    >
      <span className={classes.rank} data-flagged={flagged}>
        {pair.rank ?? '–'}
      </span>
      <span className={classes.names}>
        <Cut text={a?.name ?? ''} mono />
        <Cut text={b?.name ?? ''} mono />
        <span className={classes.origin}>
          {servers.map((server) => (
            <span key={server}>
              <i style={{ background: serverInk(analysis, server) }} />
              <Cut text={server} />
            </span>
          ))}
          {pair.confused > 0 && <b>{confusedText(pair.confused)}</b>}
        </span>
      </span>
      <span className={classes.score}>
        <b className="ts-number">{pairScoreText(pair.score)}</b>
        <span className={classes.scoreBar}>
          <i data-flagged={flagged} style={{ width: `${pair.score * 100}%` }} />
        </span>
      </span>
    </button>
  );
}

/** Arrow keys move through the pairs; Tab works as well. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const orders = new WeakMap<SimilarityAnalysis, readonly string[]>();

/** The color of a server, the same as its band in the map: the one with the most tools is first. */
function serverInk(analysis: SimilarityAnalysis, server: string): string {
  let order = orders.get(analysis);
  if (order === undefined) {
    const sizes = new Map<string, number>();
    for (const tool of analysis.tools) sizes.set(tool.server, (sizes.get(tool.server) ?? 0) + 1);
    order = [...sizes]
      .sort(([x, sizeX], [y, sizeY]) => sizeY - sizeX || compareText(x, y))
      .map(([name]) => name);
    orders.set(analysis, order);
  }
  return seriesInk(Math.max(0, order.indexOf(server)));
}
