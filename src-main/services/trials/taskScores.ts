import { toolId } from '../../../src-shared/domain/labels.ts';
import { toolsToCall } from '../../../src-shared/domain/expectedCalls.ts';
import type { TaskContent, Trajectory } from '../../../src-shared/domain/task.ts';
import type { TaskRunRow } from '../../../src-shared/domain/taskEvaluation.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import type { AdvisedFailure } from '../../analysis/advice/advise.ts';
import type { CaseScore, ToolRequest } from '../../optimize/effects.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import { readRunRows } from '../tasks/readTaskReport.ts';
import { namedTools } from '../tasks/readToolUse.ts';
import { serversOfTask } from '../tasks/taskSources.ts';
import type { Half, HalfItem } from './trial.ts';

const isScored = ({ outcome }: TaskRunRow): boolean => outcome !== null && outcome !== 'not_scored';

export type TaskRuns = ReadonlyMap<number, readonly TaskRunRow[]>;

export const runsByTask = (
  store: Store,
  row: TaskEvaluationRow,
  modelSettingsId: string,
): TaskRuns =>
  Map.groupBy(
    readRunRows(store, row).filter((run) => run.modelSettingsId === modelSettingsId),
    ({ position }) => position,
  );

/**
 * The tasks of an evaluation that belong to one half, in order, without those that could not be
 * scored: the mode stays the same, so that most of them never can.
 */
export function tasksOfHalf(
  store: Store,
  row: TaskEvaluationRow,
  runs: TaskRuns,
  half: Half,
): HalfItem[] {
  const tools =
    row.snapshotId === null ? [] : (store.toolSnapshots.get(row.snapshotId)?.tools ?? []);
  return store.entries.list('task', row.id).flatMap(({ position, key, content }): HalfItem[] => {
    const own = runs.get(position) ?? [];
    if (halfOf(key) !== half || !own.some(isScored)) return [];
    const shown = new Set(serversOfTask(content, row.settings, row.suite.servers).shown);
    const idOf = namedTools(tools.filter(({ server }) => shown.has(server)));
    const succeeded = own.find(({ outcome }) => outcome === 'succeeded');
    const steps = (): Trajectory['steps'] =>
      succeeded === undefined
        ? []
        : (store.playedTasks.get(row.id, succeeded.runId)?.trajectory?.steps ?? []);
    const requests = requestsOf(content, idOf, succeeded === undefined ? null : steps);
    return [
      {
        position,
        query: content.turns.join('\n'),
        expected: [...new Set(requests.flatMap(({ expected }) => expected))],
        requests,
        values: content.checks
          .map((check) => ('expected' in check ? JSON.stringify(check.expected) : ''))
          .join(' '),
      },
    ];
  });
}

/**
 * The user turns of a task with the tools that each leads to: those that its checks require, if the
 * task has one turn or one required call for each, else those that a successful run called. Where
 * neither is known, the turns are one request for all required tools.
 */
function requestsOf(
  { turns, checks }: Pick<TaskContent, 'turns' | 'checks'>,
  idOf: (name: string) => string,
  steps: (() => Trajectory['steps']) | null,
): ToolRequest[] {
  const must = checks.flatMap((check) => toolsToCall(check).map(idOf));
  if (must.length > 0 && turns.length === 1) return [{ query: turns[0] ?? '', expected: must }];
  if (must.length > 0 && must.length === turns.length)
    return turns.map((query, at) => ({ query, expected: must.slice(at, at + 1) }));
  if (steps === null) return [{ query: turns.join('\n'), expected: must }];
  const made = steps();
  return turns.map((query, turn) => ({
    query,
    expected: [
      ...new Set(
        made
          .filter((step) => step.turn === turn)
          .flatMap(({ calls }) =>
            calls.flatMap(({ server, tool, result }) =>
              server === null || tool === null || result.isError ? [] : [toolId(server, tool)],
            ),
          ),
      ),
    ],
  }));
}

export function readTaskScores(
  store: Store,
  row: TaskEvaluationRow,
  runs: TaskRuns,
  items: readonly HalfItem[],
): CaseScore[] {
  const tasks = new Map(store.entries.list('task', row.id).map((task) => [task.position, task]));
  return items.map((item) => {
    const { position } = item;
    const scored = (runs.get(position) ?? []).filter(isScored);
    const failed = scored.filter(({ outcome }) => outcome !== 'succeeded');
    const content = tasks.get(position)?.content;
    return {
      position,
      share: scored.length === 0 ? null : 1 - failed.length / scored.length,
      failures:
        content === undefined
          ? []
          : failed.flatMap((run) => failuresOf(store, row.id, run, content, item)),
    };
  });
}

/**
 * The first wrong step of a failed run: the user turn that it answers, what was expected there, and
 * what was called. If the expected tool belongs to another turn, as the task says it, that turn is
 * the one that went wrong. Nothing where the expected tool isn't known.
 */
function failuresOf(
  store: Store,
  evaluationId: string,
  { runId, toolUse }: TaskRunRow,
  { turns }: TaskContent,
  { requests = [], values }: HalfItem,
): AdvisedFailure[] {
  const wrong = toolUse?.firstWrong;
  if (!wrong) return [];
  const { trajectory } = store.playedTasks.get(evaluationId, runId) ?? {};
  const steps = trajectory?.steps ?? [];
  const stepTurn = steps[wrong.step]?.turn ?? turns.length - 1;
  const wanted = requests
    .map(({ query }) => turns.indexOf(query))
    .filter((_, at) => requests[at]?.expected.includes(wrong.expected ?? ''));
  const turn = wanted.length === 1 && wanted[0] !== -1 ? (wanted[0] ?? stepTurn) : stepTurn;
  const said = trajectory?.user?.turns[turn - turns.length]?.text;
  // A name that the model made up is no tool that could be edited.
  const called = steps
    .filter((step, at) => (turn === stepTurn ? at === wrong.step : step.turn === turn))
    .flatMap(({ calls }) =>
      calls.flatMap(({ server, tool }) => (tool === null ? [] : [toolId(server ?? '', tool)])),
    )
    .filter((id) => (turn === stepTurn ? id === wrong.called : id !== wrong.expected));
  return [
    {
      query: turns[turn] ?? said ?? turns.join('\n'),
      values,
      expected: wrong.expected,
      called: called[0] ?? null,
      wrongArguments: [],
    },
  ];
}
