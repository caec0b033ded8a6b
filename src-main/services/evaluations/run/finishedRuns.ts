import type {
  EvaluationEvent,
  FailureKind,
  RunOutcome,
} from '../../../../src-shared/domain/evaluation.ts';
import type { Score } from '../../../../src-shared/domain/score.ts';
import type { UnreportedSpend } from '../../../../src-shared/domain/observation.ts';
import type { ChatReply } from '../../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import type { WaitingRun } from '../../../store/runs/runs.ts';
import type { Clock, NextId } from '../../../runtime/clock.ts';
import type { OfferedTools } from '../tools/offeredTools.ts';
import type { OfferedList } from './runPreparation.ts';
import { packRequest } from '../read/rawRequest.ts';
import type { Scorer } from '../score/scorer.ts';

/** A run that has ended: answered and scored, or failed with a reason. */
export interface FinishedRun {
  run: WaitingRun<'case'>;
  reply: ChatReply | null;
  /** What its requests may have cost besides the reply. */
  unreported: UnreportedSpend | null;
  servers: readonly string[];
  /** Shuffles the offered tools; null keeps the listed order. */
  orderSeed: number | null;
  offered: OfferedTools | null;
  offeredList: OfferedList;
  score: Score | null;
  failure: FailureKind | null;
  message: string | null;
  executionTimeMs: number | null;
}

interface WriteParts {
  store: Store;
  clock: Clock;
  nextId: NextId;
  scorer: Scorer;
  publish: (event: EvaluationEvent) => void;
}

/**
 * Stores started and finished runs with their event in one transaction, then publishes the event.
 */
export function writeFinished(
  { store, clock, nextId, scorer, publish }: WriteParts,
  evaluation: EvaluationRow,
  started: readonly string[],
  finished: readonly FinishedRun[],
): void {
  const at = clock.now();
  const event = store.transaction(() => {
    for (const id of started) store.runs.markRunning(id);
    for (const item of finished) {
      const call = item.reply?.observation.calls[0];
      const selected = call
        ? item.offered?.tools.find(
            ({ server, name }) => server === call.server && name === call.tool,
          )
        : undefined;
      store.offeredTools.put(item.offeredList.id, item.offeredList.snapshotToolIds);
      store.runs.finish({
        id: item.run.id,
        status: item.score ? 'completed' : 'failed',
        failure: item.failure,
        errorMessage: item.message,
        request: item.reply
          ? packRequest(
              item.reply.request,
              item.servers,
              evaluation.settings.topK === null || !item.offered ? null : [...item.offered.ids],
              item.orderSeed,
            )
          : null,
        response: item.reply ? JSON.stringify(item.reply.response) : null,
        selectedToolId: selected?.snapshotToolId ?? null,
        offeredListId: item.offeredList.id,
        extractedParameters: call?.arguments ? JSON.stringify(call.arguments) : null,
        observation: item.reply?.observation ?? null,
        unreported: item.unreported,
        score: item.score,
        executionTimeMs: item.executionTimeMs,
        completedAt: at,
      });
      if (item.score) store.results.put(nextId(), item.run.id, item.score, scorer.fingerprint, at);
    }
    return finished.length > 0
      ? store.events.append(evaluation.id, at, { type: 'runs', outcomes: finished.map(outcome) })
      : null;
  });
  if (event) publish(event);
}

/** A finished run as its event reports it. */
function outcome(item: FinishedRun): RunOutcome {
  const { run, score } = item;
  return {
    runId: run.id,
    testCaseId: run.sourceId,
    modelSettingsId: run.modelSettingsId,
    position: run.position,
    repetition: run.repetition,
    attempt: run.attempt,
    status: score ? 'completed' : 'failed',
    failure: item.failure,
    errorMessage: item.message,
    classification: score?.classification ?? null,
    passed: score?.passed ?? null,
    units: score?.units ?? [],
    matchedParameters: score?.classification === 'TP' ? score.matchedParameters : 0,
    expectedParameters: score?.classification === 'TP' ? score.expectedParameters : 0,
    executionTimeMs: item.executionTimeMs,
  };
}
