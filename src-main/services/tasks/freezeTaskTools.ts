import type { TaskEvent } from '../../../src-shared/domain/taskEvaluation.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import { freezeTools } from '../evaluations/tools/freezeTools.ts';
import { serversOfTask } from './taskSources.ts';

type Parts = Parameters<typeof freezeTools>[0] & { store: Store; clock: Clock };

/** The tools of an evaluation of tasks: those it has, or those that its servers list now. */
export function freezeTaskTools(
  parts: Parts,
  { id, snapshotId, settings, suite }: TaskEvaluationRow,
  publish: (event: TaskEvent) => void,
  signal: AbortSignal,
): Promise<ToolSnapshot> {
  const { store, clock } = parts;
  return freezeTools(
    parts,
    {
      snapshotId,
      inlineTools: suite.inlineTools,
      neededServers: async () => [
        ...new Set(
          store.entries
            .list('task', id)
            .flatMap(({ content }) => serversOfTask(content, settings, suite.servers).all),
        ),
      ],
      keep: (snapshot, event) => {
        store.evaluations.setSnapshot(id, snapshot.id);
        const logged = store.events.append(id, clock.now(), event);
        return () => {
          publish(logged);
        };
      },
    },
    signal,
  );
}
