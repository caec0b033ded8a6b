import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Anchor } from '@mantine/core';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import type { ConfusionMatrix } from '../../../../../src-shared/domain/metrics.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { causeTitle, failedOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { useApi } from '../../../../api/index.ts';
import { SearchField } from '../../../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import { counted } from '../../../../ui/text/words.ts';
import { FailureGroups } from './FailureGroups.tsx';
import classes from './failures.module.css';
import { InvolvedMatrix } from './InvolvedMatrix.tsx';
import type { ResultAddress } from './resultAddress.ts';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { outcomeClass } from '../../../../ui/outcome/outcomeClass.ts';
import { formatCount } from '../../../../ui/estimate/format.ts';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';

interface FailuresTabProps {
  evaluation: Evaluation;
  verdict: Verdict;
  confusion: ConfusionMatrix;
  address: ResultAddress;
  onCause: (cause: FailureCause) => void;
  onCell: (cell: { expected: string; selected: string }) => void;
  onAll: () => void;
}

/** What goes wrong, and the failing requests grouped by cause. */
export function FailuresTab(props: FailuresTabProps) {
  const { evaluation, verdict, confusion, address, onCause, onCell, onAll } = props;
  const { queries } = useApi();
  const [search, setSearch] = useState('');
  const failed = failedOf(verdict.counts);
  const failures = useQuery(
    queries.results.failures.queryOptions({
      // The number of failures is part of the key, so that the list follows a running evaluation.
      input: { id: evaluation.id, modelSettingsId: address.model, search },
      enabled: failed > 0,
      placeholderData: (before) => before,
      queryKey: [
        ...queries.results.failures.queryKey({
          input: { id: evaluation.id, modelSettingsId: address.model, search },
        }),
        failed,
      ],
    }),
  );
  if (failed === 0)
    return (
      <EmptyState
        message={
          verdict.counts.passed > 0
            ? 'No failures. Every scored case passed.'
            : 'No failures yet. They appear here as soon as runs are scored.'
        }
      />
    );
  return (
    <div className={classes.space}>
      <div className={classes.columns}>
        <section className={classes.panel} aria-label="What goes wrong">
          <div className={classes.head}>
            <h2 className={classes.title}>What goes wrong</h2>
            <span className={classes.note}>{summaryOf(verdict, failed)}</span>
          </div>
          <CauseRanks verdict={verdict} onCause={onCause} />
          <InvolvedMatrix confusion={confusion} cell={address.cell} onCell={onCell} onAll={onAll} />
        </section>
        <section className={classes.panel} aria-label="Failures by cause">
          <div className={classes.head}>
            <h2 className={classes.title}>Failures by cause</h2>
            <SearchField label="Search failures" value={search} onChange={setSearch} />
          </div>
          <Loaded query={failures} blocks={[320]} label="Loading failures">
            {(loaded) => (
              <FailureGroups
                evaluation={evaluation}
                failures={loaded}
                verdict={verdict}
                address={address}
                onCause={onCause}
              />
            )}
          </Loaded>
        </section>
      </div>
    </div>
  );
}

/** How much of all failures the most frequent causes explain. */
function summaryOf({ causes }: Verdict, failed: number): string {
  const frequent = causes.filter(({ runs }) => runs > 1);
  const explained = frequent.reduce((sum, { runs }) => sum + runs, 0);
  if (frequent.length === 0) return counted(causes.length, 'cause');
  const verb = frequent.length === 1 ? 'explains' : 'explain';
  return `${counted(frequent.length, 'cause')} ${verb} ${explained} of ${counted(failed, 'failure')}`;
}

/** As many as fit above the matrix. */
const shownAtOnce = 5;

interface CauseRanksProps {
  verdict: Verdict;
  onCause: (cause: FailureCause) => void;
}

/**
 * The causes with their number of runs, the most frequent first. Each opens its cases. Causes with
 * a single run have no rank: the list of failures shows them together.
 */
function CauseRanks({ verdict, onCause }: CauseRanksProps) {
  const [all, setAll] = useState(false);
  const { causes, models, severalServers, unit } = verdict;
  const frequent = causes.filter(({ runs }) => runs > 1);
  const listed = frequent.length > 0 ? frequent : causes;
  const shown = all ? listed : listed.slice(0, shownAtOnce);
  const most = causes[0]?.runs ?? 1;
  const rest = listed.length - shown.length;
  const noun = unit.slice(0, -1);
  return (
    <ul className={classes.ranks} data-dense={models.length > 1 || undefined}>
      {shown.map((cause) => (
        <li key={`${cause.outcome} ${cause.expected} ${cause.called}`}>
          <button
            type="button"
            className={classes.rank}
            onClick={() => {
              onCause({ outcome: cause.outcome, expected: cause.expected, called: cause.called });
            }}
          >
            <OutcomeMark outcome={cause.outcome} />
            <span className={classes.pair}>
              <RichSentence text={causeTitle(cause, severalServers)} />
            </span>
            <span className={classes.count} title={counted(cause.runs, noun)}>
              {formatCount(cause.runs)}
            </span>
            <span className={classes.track} aria-hidden>
              <span
                className={outcomeClass}
                data-outcome={cause.outcome}
                style={{ width: `${(100 * cause.runs) / most}%` }}
              />
            </span>
          </button>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <Anchor
            component="button"
            type="button"
            className={classes.more ?? ''}
            ta="left"
            onClick={() => {
              setAll(true);
            }}
          >
            {counted(rest, 'more cause')}
          </Anchor>
        </li>
      )}
    </ul>
  );
}
