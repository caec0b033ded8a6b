import { Action } from '../../../ui/fields/Action.tsx';
import {
  formatShare,
  formatCount,
  formatUsd,
  counted,
} from '../../../../src-shared/display/numbers.ts';
import { useState } from 'react';
import type { TokenReport, ToolUse } from '../../../../src-shared/domain/tokenReport.ts';
import {
  costPerThousand,
  tokenCuts,
  type TokenCut,
} from '../../../../src-shared/metrics/tokenCuts.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { CutTrial } from './CutTrial.tsx';
import { cutTexts } from './tokenFindings.ts';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';

interface CutListProps {
  report: TokenReport;
  use: ToolUse | null;
  source: TokenSource;
  onOpen: (toolId: string) => void;
}

/** What to cut first, with the tokens that each cut saves; their sum is below. */
export function CutList({ report, use, source, onOpen }: CutListProps) {
  const cuts = tokenCuts(report.tools, new Set(use?.neverUsed));
  const saved = cuts.reduce((sum, cut) => sum + cut.saved, 0);
  const cost = costPerThousand(saved, report.model?.price ?? null);
  return (
    <section className={classes.cuts} aria-labelledby="what-to-cut">
      <header className={classes.cutsHead}>
        <h2 id="what-to-cut">What to cut first</h2>
        <span className={classes.quiet}>tokens per request</span>
      </header>
      {cuts.length === 0 ? (
        <p className={classes.cutsEmpty}>
          Nothing to cut: no unused tools, long descriptions, or large schemas.
        </p>
      ) : (
        <>
          <ol>
            {cuts.map((cut) => (
              <CutEntry
                key={cut.kind}
                cut={cut}
                evaluations={use?.evaluations ?? 0}
                onOpen={onOpen}
              />
            ))}
          </ol>
          <footer className={classes.cutsSum}>
            <div className={classes.cutsTotal}>
              {formatCount(report.total)} → {formatCount(report.total - saved)}
              <span className={classes.saved}>
                −{formatShare(saved / Math.max(1, report.total))}
              </span>
            </div>
            <div
              className={classes.stack}
              role="img"
              aria-label={`${counted(report.total - saved, 'token')} left, ${counted(saved, 'token')} saved`}
            >
              <span data-kept style={{ flexGrow: report.total - saved }} />
              {cuts.map(({ kind, saved: part }) => (
                <span key={kind} style={{ flexGrow: part }} />
              ))}
            </div>
            <div className={classes.quiet}>
              {counted(saved, 'token')} saved
              {cost === null ? '' : `, ${formatUsd(cost)} per 1,000 requests`}
            </div>
            {/* Results of one choice of tools say nothing about another one. */}
            <CutTrial key={JSON.stringify(source.source)} source={source} />
          </footer>
        </>
      )}
    </section>
  );
}

const maxListed = 4;

function CutEntry(props: { cut: TokenCut; evaluations: number; onOpen: (toolId: string) => void }) {
  const { cut, evaluations, onOpen } = props;
  const [all, setAll] = useState(false);
  const { title, why } = cutTexts(cut, evaluations);
  const listed = all ? cut.tools : cut.tools.slice(0, maxListed);
  return (
    <li>
      <div className={classes.cutTitle}>
        <h3>{title}</h3>
        <span className={classes.saved}>−{formatCount(cut.saved)}</span>
      </div>
      <p>{why}</p>
      <ul className={classes.cutTools}>
        {listed.map(({ toolId, saved }) => (
          <li key={toolId}>
            <button type="button" onClick={() => onOpen(toolId)}>
              <Cut text={toolId} mono />
              <span>−{formatCount(saved)}</span>
            </button>
          </li>
        ))}
      </ul>
      {cut.tools.length > maxListed && (
        <Action
          label={all ? 'Show fewer' : `Show all ${formatCount(cut.tools.length)}`}
          size="compact-xs"
          variant="subtle"
          color="gray"
          onClick={() => setAll(!all)}
        />
      )}
    </li>
  );
}
