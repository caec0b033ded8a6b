import type { EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../src-shared/domain/gate.ts';
import type { TaskEvent } from '../../src-shared/domain/taskEvaluation.ts';
import type { Client } from './connect.ts';
import { follow } from './follow.ts';

/**
 * Passes on every event after `afterSeq` once and in order, until the stream ends or the signal
 * aborts. After falling behind or losing its connection it continues after the last event. Rejects
 * with any other error, such as an unknown id.
 */
export async function watchEvaluation(
  client: Client,
  evaluation: { unit: EvaluationUnit; id: string },
  afterSeq: number,
  onEvent: (event: EvaluationEvent | TaskEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let seen = afterSeq;
  await follow<EvaluationEvent | TaskEvent>(
    () => client.evaluations.watch({ ...evaluation, afterSeq: seen }, { signal }),
    (event) => {
      if (event.seq <= seen) return;
      seen = event.seq;
      onEvent(event);
    },
    signal,
  );
}
