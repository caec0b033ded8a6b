import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../../api/index.ts';
import { EmptyState } from '../../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../../ui/notices/Loaded.tsx';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { CodeView } from '../../../../ui/text/CodeView.tsx';
import { counted } from '../../../../ui/text/words.ts';
import type { Trajectory } from '../../../../../src-shared/domain/task.ts';
import classes from '../../tasks.module.css';

interface ExchangesProps {
  id: string;
  runId: string;
  /** Absent: no simulated user was asked. */
  user: Trajectory['user'];
}

/** What was sent to the model and received in each step, without secrets. */
export function Exchanges({ id, runId, user }: ExchangesProps) {
  const { queries } = useApi();
  const exchanges = useQuery(queries.evaluations.exchanges.queryOptions({ input: { id, runId } }));
  return (
    <Loaded query={exchanges} blocks={[40, 40, 40]} label="Loading requests and replies">
      {(list) =>
        list.length === 0 ? (
          <EmptyState message="No request was sent to a model in this run." />
        ) : (
          <section className={classes.panel} aria-label="Requests and replies">
            {list.map(({ request, response }, index) => (
              <Fold
                key={index}
                title={`Step ${index + 1}`}
                hint={`${counted(request.length, 'character')} sent, ${counted(response.length, 'character')} received`}
              >
                <CodeView text={request} label={`Request of step ${index + 1}`} />
                <CodeView text={response} label={`Reply of step ${index + 1}`} />
              </Fold>
            ))}
            {user?.turns.map(({ request, response }, index) => (
              <Fold
                key={`user-${index}`}
                title={`Reply ${index + 1} of the simulated user`}
                hint={user.model}
              >
                <CodeView
                  text={JSON.stringify(request, null, 2)}
                  label={`Request for reply ${index + 1} of the user`}
                />
                <CodeView
                  text={JSON.stringify(response, null, 2)}
                  label={`Reply ${index + 1} of the user`}
                />
              </Fold>
            ))}
          </section>
        )
      }
    </Loaded>
  );
}
