import { Anchor, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { useApi } from '../../../api/index.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { percentDone } from '../../../ui/progress/progressWords.ts';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { Counts } from '../Counts.tsx';
import { stateWords } from '../evaluationWords.ts';
import classes from './recent.module.css';

const pollMs = 1000;

/** The last few evaluations with their outcomes, for the overview. */
export function RecentEvaluations() {
  const { queries } = useApi();
  const list = useQuery(
    queries.evaluations.list.queryOptions({
      input: { limit: 8 },
      refetchInterval: (query) =>
        query.state.data?.some(({ state }) => !hasEnded(state)) === true ? pollMs : false,
    }),
  );
  return (
    <Section
      title="Last evaluations"
      aside={
        <Anchor component={Link} to="/evaluations" size="sm">
          All evaluations
        </Anchor>
      }
    >
      <Loaded query={list} blocks={[240]}>
        {(evaluations) =>
          evaluations.length === 0 ? (
            <Text c="dimmed" className="ts-panel ts-none">
              None yet. The first one shows up here.
            </Text>
          ) : (
            <ul className="ts-panel ts-rows">
              {evaluations.map((evaluation) => (
                <li key={evaluation.id}>
                  <Link to={`/evaluations/${evaluation.id}`} className="ts-row-link">
                    <span className={classes.what}>
                      <span className={classes.name}>
                        <span className="ts-number">#{evaluation.number}</span>{' '}
                        <Cut text={evaluation.suiteName} />
                      </span>
                      <Text size="xs" c="dimmed" component="span">
                        <Cut text={evaluation.models.map(modelLabel).join(', ')} />
                      </Text>
                    </span>
                    <Outcomes evaluation={evaluation} />
                    <StatusBadge {...stateWords[evaluation.state]} />
                    <Text size="xs" c="dimmed" component="span" ta="right" w={96}>
                      <Time iso={evaluation.createdAt} focusable={false} />
                    </Text>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Outcomes({ evaluation }: { evaluation: Evaluation }) {
  const { total, open } = evaluation.counts;
  const percent = percentDone({ done: total - open, total });
  if (hasEnded(evaluation.state) || percent === null) return <Counts counts={evaluation.counts} />;
  return (
    <span className={classes.outcomes}>
      <Progress
        value={percent}
        w={120}
        size={6}
        aria-label={`Progress of evaluation ${evaluation.number}`}
      />
      <span className="ts-number">{percent} %</span>
    </span>
  );
}
