import { Action } from '../../../ui/fields/controls.tsx';
import {
  formatShare,
  formatCount,
  formatUsd,
  counted,
} from '../../../../src-shared/display/numbers.ts';
import { useState } from 'react';
import type {
  TokenReport,
  ToolUse,
  CutTrial as Trial,
} from '../../../../src-shared/domain/tokenReport.ts';
import {
  costPerThousand,
  tokenCuts,
  type TokenCut,
} from '../../../../src-shared/metrics/tokenCuts.ts';
import { Cut, PlainText } from '../../../ui/text/Foreign.tsx';
import { cutTexts } from './tokenFindings.ts';
import type { TokenSource } from './useTokenSource.ts';
import classes from './tokens.module.css';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { describeAnswer } from '../../../../src-shared/display/comparisonAnswer.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';

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

/** Makes all cuts at once: what is left, and whether the built-in selector still passes as much. */
function CutTrial({ source }: { source: TokenSource }) {
  const { client, queries, reread } = useApi();
  const trial = useMutation({
    mutationFn: async () => {
      const made = await client.tokens.tryCuts({
        source: source.source,
        encoding: source.encoding,
        model: source.model,
      });
      if (made.base === null || made.changes.length === 0) return { made, whatIfId: null };
      const { id, modelSettingsId } = made.base;
      const started = await client.evaluations.whatIf({
        id,
        modelSettingsId,
        changes: made.changes,
      });
      void reread(queries.evaluations);
      return { made, whatIfId: started.id };
    },
  });
  return (
    <div className={classes.trial}>
      <Action label="Try all cuts" filled fullWidth run={trial} />
      <ErrorNotice error={trial.error} />
      {trial.data && (
        <div role="status">
          <p>
            <b>
              {formatCount(trial.data.made.before)} → {formatCount(trial.data.made.after)} tokens
            </b>{' '}
            (−{formatShare(1 - trial.data.made.after / Math.max(1, trial.data.made.before))}) with
            whole sentences kept. No server was changed.
          </p>
          <PassRate {...trial.data} />
        </div>
      )}
    </div>
  );
}

function PassRate({ made, whatIfId }: { made: Trial; whatIfId: string | null }) {
  if (made.changes.length === 0)
    return <p>The pass rate stays the same: models never see output schemas.</p>;
  if (made.base === null || whatIfId === null)
    return (
      <p>
        To see whether the pass rate holds,{' '}
        <Link to="/results/new">run an evaluation with the built-in selector</Link> first.
      </p>
    );
  return <Compared base={made.base} whatIfId={whatIfId} />;
}

function Compared({ base, whatIfId }: { base: NonNullable<Trial['base']>; whatIfId: string }) {
  const run = useRead((ask) => ask.evaluations.get, {
    input: { id: whatIfId },
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && hasEnded(data.state) ? false : 500,
  });
  const ended = run.data !== undefined && hasEnded(run.data.state);
  const comparison = useRead((ask) => ask.results.compare, {
    input: {
      baseline: { id: base.id, modelSettingsId: base.modelSettingsId },
      candidates: [{ id: whatIfId, modelSettingsId: null }],
    },
    enabled: ended,
  });
  const error = run.error ?? comparison.error;
  const found = comparison.data?.candidates[0];
  if (error) return <ErrorNotice error={error} />;
  const name = <PlainText text={`#${base.number} ${base.suiteName}`} />;
  if (!found)
    return (
      <p>
        Repeating {name} with the cuts
        {run.data
          ? `: ${formatCount(run.data.counts.total - run.data.counts.open)} of ${formatCount(run.data.counts.total)} runs`
          : ''}
        …
      </p>
    );
  const side = `${base.id}${base.modelSettingsId === null ? '' : `/${base.modelSettingsId}`}`;
  return (
    <p>
      Pass rate of {name} with the cuts: {formatShare(found.candidateRight.value)}, before{' '}
      {formatShare(found.baselineRight.value)}. {describeAnswer(found)}{' '}
      <Link to={`/results/${whatIfId}?${new URLSearchParams({ compare: side }).toString()}`}>
        Compare cases
      </Link>
    </p>
  );
}
