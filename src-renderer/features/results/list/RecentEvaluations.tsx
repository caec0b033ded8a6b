import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { ResultGroup } from '../../../../src-shared/contract/results.ts';
import { useRead } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { TitledPanel } from '../../../ui/panels/panels.tsx';
import { Cut } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import {
  DerivedToggle,
  ListedBadges,
  OutcomeBars,
  ResumeButton,
  SearchName,
} from './EvaluationParts.tsx';
import classes from './list.module.css';
import { foldedText, type Listed, listedFacts } from './listed.ts';
import { pollMs, isGroupRunning } from './useResults.ts';

const maxShown = 6;

interface RecentEvaluationsProps {
  /** Names of suites whose results are left out. */
  exceptSuites: string[];
}

/** The last few results of cases and tasks with their outcomes, for the overview. */
export function RecentEvaluations({ exceptSuites }: RecentEvaluationsProps) {
  const results = useRead((ask) => ask.results.list, {
    input: { exceptSuites, limit: 2 * maxShown },
    refetchInterval: ({ state: { data } }) =>
      data?.groups.some(isGroupRunning) === true ? pollMs : false,
  });
  return (
    <TitledPanel
      title="Recent results"
      aside={
        <Anchor component={Link} to="/results" size="sm">
          All results
        </Anchor>
      }
    >
      <Loaded query={results} blocks={[160]} label="Loading the results">
        {({ groups }) => {
          // What was derived from one that is gone is found in the list of all.
          const shown = groups.filter(
            ({ lead: { evaluation } }) =>
              evaluation.origin === null || evaluation.origin.kind === 'accuracy_step',
          );
          return shown.length === 0 ? (
            <Text c="dimmed" className="ts-none">
              No results yet. The first one will be listed here.
            </Text>
          ) : (
            <ul className={classes.rows}>
              {shown.slice(0, maxShown).map((group) => (
                <Group key={group.lead.evaluation.id} group={group} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </TitledPanel>
  );
}

function Group({ group }: { group: ResultGroup }) {
  const [isOpen, setOpen] = useState(false);
  const { lead, derived, searches } = group;
  const text = foldedText(group);
  return (
    <>
      <Row one={lead}>
        {text !== '' && (
          <div className={classes.folded}>
            <DerivedToggle text={text} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          </div>
        )}
      </Row>
      {isOpen && derived.map((one) => <Row key={one.evaluation.id} one={one} below />)}
      {isOpen &&
        searches.map((search) => (
          <li key={search.id} data-below className={classes.folded}>
            <Link to={`/results/searches/${search.id}`}>
              <SearchName state={search.state} />
            </Link>
          </li>
        ))}
    </>
  );
}

function Row(props: { one: Listed; below?: boolean; children?: ReactNode }) {
  const { one, below = false, children } = props;
  const { number, suiteName, createdAt } = one.evaluation;
  const { to, models, result, rate, resumable } = listedFacts(one);
  return (
    <li data-below={below || undefined}>
      <div style={{ position: 'relative' }}>
        <Link to={to} className={classes.row}>
          <span className="ts-number">#{number}</span>
          <span className={classes.suite}>
            <span className={classes.name}>
              <Cut text={suiteName} />
              <ListedBadges one={one} />
            </span>
            <span className={classes.models}>
              <Cut text={models} />
            </span>
          </span>
          <OutcomeBars one={one} />
          <span className={`ts-number ${classes.passed}`}>{result}</span>
          <span className={`ts-number ${classes.rate}`}>{resumable ? '' : rate}</span>
          <span className={classes.end}>
            {!resumable && <Time iso={createdAt} focusable={false} />}
          </span>
        </Link>
        {resumable && (
          <span className={classes.rowAction}>
            <ResumeButton {...one} />
          </span>
        )}
      </div>
      {children}
    </li>
  );
}
