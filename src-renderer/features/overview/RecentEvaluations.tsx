import { Anchor, Progress, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../src-shared/domain/model.ts';
import { Cut } from '../../ui/Cut.tsx';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Time } from '../../ui/Time.tsx';
import { counted } from '../../ui/words.ts';
import { evaluationBadge, percentDone } from './evaluationState.ts';
import classes from './overview.module.css';

const outcomes = [
  { key: 'tp', letters: 'TP', meaning: 'right tool called' },
  { key: 'tn', letters: 'TN', meaning: 'rightly no tool called' },
  { key: 'fp', letters: 'FP', meaning: 'called where none was due' },
  { key: 'fn', letters: 'FN', meaning: 'right tool missed' },
  { key: 'failed', letters: '!', meaning: 'not scored' },
] as const;

export function RecentEvaluations({ evaluations }: { evaluations: readonly Evaluation[] }) {
  return (
    <Section title="Last evaluations" aside={<Anchor component={Link} to="/evaluations" size="sm">All evaluations</Anchor>}>
      {evaluations.length === 0 ? (
        <Text c="dimmed" className={`ts-panel ${classes.none ?? ''}`}>
          None yet. The first one shows up here.
        </Text>
      ) : (
        <ul className={`ts-panel ${classes.list ?? ''}`}>
          {evaluations.map((evaluation) => (
            <li key={evaluation.id}>
              <Link to={`/evaluations/${evaluation.id}`} className={classes.evaluation}>
                <span className={classes.what}>
                  <span className={classes.name}>
                    <span className="ts-number">#{evaluation.number}</span> <Cut text={evaluation.suiteName} />
                  </span>
                  <Text size="xs" c="dimmed" component="span">
                    <Cut text={evaluation.models.map(modelLabel).join(', ')} />
                  </Text>
                </span>
                <Outcomes evaluation={evaluation} />
                <StatusBadge {...evaluationBadge(evaluation)} />
                <Text size="xs" c="dimmed" component="span" ta="right" w={96}>
                  <Time iso={evaluation.createdAt} focusable={false} />
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Outcomes({ evaluation }: { evaluation: Evaluation }) {
  const { counts } = evaluation;
  const percent = percentDone(evaluation);
  if (counts.open > 0 && percent !== null) {
    return (
      <span className={classes.outcomes}>
        <Progress value={percent} w={120} size={6} aria-label={`Progress of evaluation ${evaluation.number}`} />
        <span className="ts-number">{Math.floor(percent)} %</span>
      </span>
    );
  }
  const shown = outcomes.filter(({ key }) => counts[key] > 0);
  return (
    <span className={classes.outcomes}>
      {shown.map(({ key, letters, meaning }) => (
        <span key={key} className={classes.outcome}>
          <OutcomeMark outcome={key} letters={letters} label={`${meaning}:`} />
          <span className="ts-number">{counts[key].toLocaleString('en')}</span>
        </span>
      ))}
      {shown.length === 0 && <span>{counted(counts.total, 'run')}</span>}
    </span>
  );
}
