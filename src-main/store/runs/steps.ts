import { textList } from '../database/table.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import {
  sentCalls,
  trajectoryStep,
  unansweredCalls,
  type CallAnswer,
  type TrajectoryStep,
} from '../../../src-shared/domain/task.ts';
import type { MadeCall } from '../../../src-shared/domain/taskTools.ts';
import type { StoreContext } from '../storeContext.ts';

/** One exchange with the model, as text. */
export interface Exchange {
  request: string;
  response: string;
}

/** The steps of a run with the exchange of each, as far as it got. */
interface StepsOfRun {
  steps: readonly TrajectoryStep[];
  exchanges: readonly Exchange[];
}

/** A call in a step, or a step without calls: then all but its run and index are null. */
interface MadeCallRow {
  runId: string;
  step: number;
  server: string | null;
  tool: string | null;
  name: string | null;
  answeredBy: CallAnswer | null;
  isError: number | null;
  durationMs: number | null;
}

/** Calls of one tool that were sent to its server. */
interface ExecutedTool {
  tool: string;
  calls: number;
  /** Those that have no answer. */
  unanswered: number;
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return Math.min(length, other.length);
}

/** Only runs of the tasks at the places of a JSON array, which is bound. */
export const atPositions = (column: string): string =>
  `AND ${column} IN (SELECT value FROM json_each(?))`;

/**
 * The steps of runs: a request to the model, its reply, and the results of its calls. A case has one
 * request, which its run keeps.
 */
export function openSteps({ db, redact }: StoreContext) {
  const insert = db.prepare(
    `INSERT INTO steps (run_id, step, content, request_shared, request_rest, response, request_hash, response_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM steps WHERE run_id = ? AND step >= ?');
  const ofRun = db
    .prepare<[string], string>('SELECT content FROM steps WHERE run_id = ? ORDER BY step')
    .pluck();
  const exchanges = db.prepare<
    [string],
    { requestShared: number; requestRest: string; response: string }
  >(
    `SELECT request_shared AS requestShared, request_rest AS requestRest, response FROM steps
     WHERE run_id = ? ORDER BY step`,
  );
  const executed = db.prepare<[string], ExecutedTool>(
    `SELECT (c.value ->> '$.server') || ':' || (c.value ->> '$.tool') AS tool, count(*) AS calls,
       sum(c.value ->> '$.answeredBy' IN (${textList(unansweredCalls)})) AS unanswered
     FROM runs r JOIN steps s ON s.run_id = r.id, json_each(s.content, '$.calls') c
     WHERE r.evaluation_id = ? AND c.value ->> '$.answeredBy' IN (${textList(sentCalls)})
     GROUP BY 1 ORDER BY 1`,
  );
  const madeCallsWhere = (chosen: string) =>
    db.prepare<string[], MadeCallRow>(
      `SELECT r.id AS runId, s.step, c.value ->> '$.server' AS server, c.value ->> '$.tool' AS tool,
       c.value ->> '$.name' AS name, c.value ->> '$.answeredBy' AS answeredBy,
       c.value ->> '$.result.isError' AS isError, c.value ->> '$.durationMs' AS durationMs
     FROM runs r JOIN steps s ON s.run_id = r.id
     LEFT JOIN json_each(s.content, '$.calls') c
     WHERE r.evaluation_id = ? AND r.is_current = 1 ${chosen} ORDER BY r.rowid, s.step, c.key`,
    );
  const madeCalls = madeCallsWhere('');
  const madeCallsAt = madeCallsWhere(atPositions('r.position'));

  return {
    /**
     * Keeps the steps of a run from an index on, in place of those that it had, each with the part of
     * its request that is new. Written while the run is under way, a call that was sent is known even
     * if the program ends before its answer. Call it inside a transaction.
     */
    write(id: string, { steps: made, exchanges: kept }: StepsOfRun, from: number): void {
      remove.run(id, from);
      let before = '';
      for (const [step, content] of made.entries()) {
        // Cutting a text comes after redacting it, or a secret could be cut in two and missed.
        const request = redact(kept[step]?.request ?? '');
        if (step >= from) {
          const response = redact(kept[step]?.response ?? '');
          const shared = sharedLength(before, request);
          insert.run(
            id,
            step,
            JSON.stringify(content),
            shared,
            request.slice(shared),
            response,
            sha256(request),
            sha256(response),
          );
        }
        before = request;
      }
    },
    ofRun: (id: string): TrajectoryStep[] =>
      ofRun.all(id).map((content) => trajectoryStep.parse(parseJson(content))),
    /** What was sent and received in each step, byte for byte but for secrets. */
    exchanges(id: string): Exchange[] {
      let before = '';
      return exchanges.all(id).map(({ requestShared, requestRest, response }) => {
        before = before.slice(0, requestShared) + requestRest;
        return { request: before, response };
      });
    },
    /** Calls that were sent to servers for the model, by tool; of every attempt, also of those cut short. */
    executed: (evaluationId: string): ExecutedTool[] => executed.all(evaluationId),
    /** The calls of each run's steps without arguments and results, by run; last attempts only. */
    madeCalls(evaluationId: string, positions?: readonly number[]): Map<string, MadeCall[][]> {
      const made = positions
        ? madeCallsAt.iterate(evaluationId, JSON.stringify(positions))
        : madeCalls.iterate(evaluationId);
      const runs = new Map<string, MadeCall[][]>();
      for (const { runId, step, name, answeredBy, isError, durationMs, ...call } of made) {
        const steps = runs.get(runId) ?? [];
        runs.set(runId, steps);
        const calls = (steps[step] ??= []);
        if (name !== null && answeredBy !== null)
          calls.push({
            ...call,
            name,
            answeredBy,
            isError: isError === 1,
            durationMs: durationMs ?? 0,
          });
      }
      return runs;
    },
  };
}
export type StepsStore = ReturnType<typeof openSteps>;
