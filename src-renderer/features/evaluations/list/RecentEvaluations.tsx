import { Anchor, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  isResumable,
  rateText,
  resultText,
} from '../../../../src-shared/display/evaluationTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { OutcomeBar } from '../../../ui/outcome/OutcomeBar.tsx';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { DerivedToggle, OriginBadge, ResumeButton, SampleBadge } from './EvaluationParts.tsx';
import { type EvaluationGroup, foldDerived } from './foldDerived.ts';
import classes from './list.module.css';

const maxShown = 6;

/** The last few evaluations with their outcomes, for the overview. */
export function RecentEvaluations({ evaluations }: { evaluations: readonly Evaluation[] }) {
  // What was derived from an older evaluation is found in the list of all.
  const groups = foldDerived(evaluations).filter(
    ({ evaluation: { origin } }) => origin === null || origin.kind === 'accuracy_step',
  );
  return (
    <section className="ts-panel" aria-labelledby="recent-evaluations">
      <div className={classes.head}>
        <h2 id="recent-evaluations" className={classes.title}>
          Recent evaluations
        </h2>
        <Anchor component={Link} to="/evaluations" size="sm">
          All evaluations
        </Anchor>
      </div>
      {groups.length === 0 ? (
        <Text c="dimmed" className="ts-none">
          No evaluations yet. The first one will be listed here.
        </Text>
      ) : (
        <ul className={classes.rows}>
          {groups.slice(0, maxShown).map((group) => (
            <Group key={group.evaluation.id} group={group} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Group({ group: { evaluation, derived } }: { group: EvaluationGroup }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Row evaluation={evaluation}>
        {derived.length > 0 && (
          <div className={classes.folded}>
            <DerivedToggle
              derived={derived}
              isOpen={isOpen}
              onToggle={() => {
                setOpen(!isOpen);
              }}
            />
          </div>
        )}
      </Row>
      {isOpen && derived.map((one) => <Row key={one.id} evaluation={one} below />)}
    </>
  );
}

interface RowProps {
  evaluation: Evaluation;
  below?: boolean;
  children?: ReactNode;
}

function Row({ evaluation, below = false, children }: RowProps) {
  const { id, number, suiteName, models, origin, outcomes, createdAt } = evaluation;
  const resumable = isResumable(evaluation);
  return (
    <li data-below={below || undefined}>
      <div style={{ position: 'relative' }}>
        <Link to={`/evaluations/${id}`} className={classes.row}>
          <span className="ts-number">#{number}</span>
          <span className={classes.suite}>
            <span className={classes.name}>
              <Cut text={suiteName} />
              <OriginBadge origin={origin} />
              <SampleBadge id={id} />
            </span>
            <span className={classes.models}>
              <Cut text={models.map(modelLabel).join(', ')} />
            </span>
          </span>
          <OutcomeBar thin counts={outcomes} />
          <span className={`ts-number ${classes.passed}`}>{resultText(evaluation)}</span>
          <span className={`ts-number ${classes.rate}`}>
            {resumable ? '' : rateText(evaluation)}
          </span>
          <span className={classes.end}>
            {!resumable && <Time iso={createdAt} focusable={false} />}
          </span>
        </Link>
        {resumable && (
          <span className={classes.rowAction}>
            <ResumeButton evaluation={evaluation} />
          </span>
        )}
      </div>
      {children}
    </li>
  );
}
