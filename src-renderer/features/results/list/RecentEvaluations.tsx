import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { derivedText } from '../../../../src-shared/display/originTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import { TitledPanel } from '../../../ui/panels/TitledPanel.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { DerivedToggle, ListedBadges, ListedBar, ResumeButton } from './EvaluationParts.tsx';
import classes from './list.module.css';
import { type Listed, listedFacts, type ListedGroup, listedGroups } from './listed.ts';

const maxShown = 6;

interface RecentEvaluationsProps {
  evaluations: readonly Evaluation[];
  tasks: readonly TaskEvaluation[];
}

/** The last few evaluations with their outcomes, for the overview. */
export function RecentEvaluations({ evaluations, tasks }: RecentEvaluationsProps) {
  // What was derived from an older evaluation is found in the list of all.
  const groups = listedGroups(evaluations, tasks).filter(
    ({ lead }) =>
      lead.unit === 'task' ||
      lead.evaluation.origin === null ||
      lead.evaluation.origin.kind === 'accuracy_step',
  );
  return (
    <TitledPanel
      title="Recent results"
      aside={
        <Anchor component={Link} to="/results" size="sm">
          All results
        </Anchor>
      }
    >
      {groups.length === 0 ? (
        <Text c="dimmed" className="ts-none">
          No results yet. The first one will be listed here.
        </Text>
      ) : (
        <ul className={classes.rows}>
          {groups.slice(0, maxShown).map((group) => (
            <Group key={group.lead.evaluation.id} group={group} />
          ))}
        </ul>
      )}
    </TitledPanel>
  );
}

function Group({ group: { lead, derived } }: { group: ListedGroup }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Row one={lead}>
        {derived.length > 0 && (
          <div className={classes.folded}>
            <DerivedToggle
              text={derivedText(derived.flatMap(({ origin }) => (origin === null ? [] : [origin])))}
              isOpen={isOpen}
              onToggle={() => {
                setOpen(!isOpen);
              }}
            />
          </div>
        )}
      </Row>
      {isOpen &&
        derived.map((evaluation) => (
          <Row key={evaluation.id} one={{ unit: 'case', evaluation }} below />
        ))}
    </>
  );
}

interface RowProps {
  one: Listed;
  below?: boolean;
  children?: ReactNode;
}

function Row({ one, below = false, children }: RowProps) {
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
          <ListedBar one={one} />
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
