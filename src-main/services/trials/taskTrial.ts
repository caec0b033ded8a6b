import type { OptimizationSpend } from '../../../src-shared/domain/optimization.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import { toolsToCall } from '../../../src-shared/domain/expectedCalls.ts';
import type { Agreement, TaskFacts } from '../../../src-shared/domain/taskEvaluation.ts';
import { taskWhatIfChange } from '../../../src-shared/domain/taskEvaluation.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import { requireConsent } from '../tasks/consent.ts';
import type { TaskEvaluationsService } from '../tasks/taskEvaluationsService.ts';
import { readTaskWhatIf } from '../tasks/taskWhatIf.ts';
import { keysOfTasks } from './proofKeys.ts';
import { taskSide } from '../results/storedSides.ts';
import { readTaskScores, runsByTask, tasksOfHalf } from './taskScores.ts';
import {
  averageCall,
  once,
  requireEnded,
  trialBase,
  type Trial,
  type TrialTarget,
} from './trial.ts';

export type TaskEvaluations = Pick<
  TaskEvaluationsService,
  'repeat' | 'onRequests' | 'watch' | 'cancel' | 'resume'
>;

/**
 * An evaluation of tasks. Its repetitions run in its mode, because tools that answer differently
 * change how a task ends; a mode that executes every tool needs its agreement again.
 */
export function openTaskTrial(
  store: Store,
  evaluations: TaskEvaluations,
  row: TaskEvaluationRow,
  { modelSettingsId }: TrialTarget,
): Trial {
  const base = trialBase(store, 'task', row, modelSettingsId);
  const { model, name } = base;
  const tools = once(() => requireEnded(store, row, name));
  const side = once(() => taskSide(store, row, model));
  const isFree = !isRemote(model.provider);
  const { mode, repetitions } = row.settings;
  const factsOf = (id: string, ofModel: string | null): TaskFacts[] =>
    store.playedTasks
      .list(id)
      .flatMap((run) =>
        run.facts === null || (ofModel !== null && run.modelSettingsId !== ofModel)
          ? []
          : [run.facts],
      );
  const execution = once(
    () =>
      readTaskWhatIf(store, row, {
        ...{ changes: [], modelSettingsId: model.id, positions: null },
        settings: { mode, agreedServers: [] },
      }).plan,
  );
  const runs = once(() => runsByTask(store, row, model.id));
  const own = once(() => factsOf(row.id, model.id));
  const perCall = once(() => {
    const spent = usedIn(own(), isFree);
    const unmeasured = own().reduce(
      (sum, { tokens, steps }) => sum + (tokens === null ? steps : 0),
      0,
    );
    return averageCall(row, { ...spent, unmeasured }, spent.calls);
  });
  // A run that gives up takes fewer steps than one that succeeds, as more of them will.
  const callsPerRun = once(() => {
    const succeeded = store.playedTasks
      .list(row.id)
      .flatMap(({ outcome, facts, modelSettingsId: by }) =>
        outcome === 'succeeded' && facts !== null && by === model.id ? [facts] : [],
      );
    return Math.max(1, meanSteps(own()), meanSteps(succeeded), neededSteps(store, row.id));
  });
  const failedRuns = once(() => {
    const found = new Map<number, ReturnType<Trial['failedRun']>>();
    for (const { outcome, position, id: runId, modelSettingsId: by } of store.playedTasks.list(
      row.id,
    ))
      if (outcome !== null && outcome !== 'succeeded' && outcome !== 'not_scored')
        if (by === model.id && !found.has(position)) found.set(position, { runId, outcome });
    return found;
  });
  /** What repetitions of this process used, with the requests of runs that have not ended. */
  const meters = new Map<string, OptimizationSpend>();
  const listeners = new Map<string, () => void>();
  const meter = (id: string): void => {
    meters.set(id, usedIn(factsOf(id, null), isFree));
    evaluations.onRequests(id, ({ usage, cost }) => {
      const before = meters.get(id);
      if (!before) return;
      const usd = isFree ? 0 : cost;
      meters.set(id, {
        calls: before.calls + 1,
        tokens: before.tokens + (usage?.input ?? 0) + (usage?.output ?? 0),
        usd: before.usd === null || usd === null ? null : before.usd + usd,
        minutes: 0,
        unanswered: 0,
      });
      listeners.get(id)?.();
    });
  };
  return {
    ...base,
    get proofKeys() {
      return keysOfTasks(store, row);
    },
    get tools() {
      return tools();
    },
    get perCall() {
      return perCall();
    },
    get callsPerRun() {
      return callsPerRun();
    },
    get execution() {
      const { servers, executes, unlisted, isolated, programs } = execution();
      return { mode, servers, executes, unlisted, isolated, programs };
    },
    half: (half) => tasksOfHalf(store, row, runs(), half),
    scores: (items) => readTaskScores(store, row, runs(), items),
    failedAt: (_item, { failures }) =>
      new Set(failures.flatMap(({ expected, called }) => [expected, called].filter(isText))),
    failedRun: (position) => failedRuns().get(position) ?? null,
    parameters: () => [],
    used: (items) => {
      const { usd, minutes } = perCall();
      const calls = items.length * repetitions * callsPerRun();
      return { usd: usd === null ? null : usd * calls, ms: minutes * 60_000 * calls };
    },
    get side() {
      return side();
    },
    requireConsent: (agreed) => {
      requireConsent({ ...row.settings, ...ownAgreement(agreed) }, execution());
    },
    repeat: async ({ changes, items, agreed, spendLimitUsd }, planned) => {
      const { id } = await evaluations.repeat(
        row.id,
        {
          changes: changes.map((change) => taskWhatIfChange.parse(change)),
          modelSettingsId: model.id,
          positions: items.map(({ position }) => position),
          settings: {
            mode,
            ...ownAgreement(agreed),
            ...(spendLimitUsd !== undefined && { spendLimitUsd }),
          },
        },
        (evaluationId) => {
          meter(evaluationId);
          planned?.(evaluationId);
        },
      );
      return id;
    },
    repeatedScores: (id, items) => {
      const found = store.evaluations.get('task', id);
      if (!found) return [];
      const repeated = runsByTask(store, found, found.modelSettingsIds[0] ?? '');
      return readTaskScores(store, found, repeated, items);
    },
    repeatedSide: (id) => {
      const found = store.evaluations.get('task', id);
      const asked = found && store.modelSettings.of(found, found.modelSettingsIds[0] ?? '');
      return found && asked && taskSide(store, found, asked);
    },
    spentOn: (id) => {
      const ended = usedIn(factsOf(id, null), isFree);
      const live = meters.get(id) ?? ended;
      // Only ended runs know the cost of a judge and of a simulated user.
      const usd = ended.usd === null || live.usd === null ? null : Math.max(ended.usd, live.usd);
      return { ...live, usd, unanswered: ended.unanswered };
    },
    watch: async (id, signal, used) => {
      listeners.set(id, used);
      try {
        for await (const event of evaluations.watch({ id, afterSeq: 0 }, { signal }))
          if (event.type === 'runs') used();
      } finally {
        listeners.delete(id);
      }
    },
    cancel: async (id) => {
      await evaluations.cancel({ id });
    },
    resume: async (id) => {
      meter(id);
      await evaluations.resume({ id });
    },
  };
}

/** What a repetition may do. It never has the agreement of its base. */
const ownAgreement = ({ agreedServers, agreedPrograms = [] }: Agreement): Required<Agreement> => ({
  agreedServers,
  agreedPrograms,
});

const isText = (id: string | null): id is string => id !== null;

/**
 * US dollars of a run as far as they are known: the model, the judge, and the simulated user, with
 * replies that could not be used.
 */
const costOf = ({ spend, cost, judgeCost, user }: TaskFacts): number =>
  spend?.usd ?? (cost ?? 0) + (judgeCost ?? 0) + (user?.cost ?? 0);

const meanSteps = (facts: readonly TaskFacts[]): number =>
  facts.reduce((sum, { steps }) => sum + steps, 0) / Math.max(1, facts.length);

/** An answer for each user turn and a step for each required call, on average over the tasks. */
function neededSteps(store: Store, id: string): number {
  const needed = store.entries
    .list('task', id)
    .map(({ content: { turns, checks } }) =>
      checks.reduce((sum, check) => sum + toolsToCall(check).length, turns.length),
    );
  return needed.reduce((sum, steps) => sum + steps, 0) / Math.max(1, needed.length);
}

/** What runs used; the cost is null where one is unknown. */
function usedIn(facts: readonly TaskFacts[], isFree: boolean): OptimizationSpend {
  const isUnpriced = facts.some(({ cost, steps }) => cost === null && steps > 0);
  return {
    calls: facts.reduce((sum, { steps }) => sum + steps, 0),
    tokens: facts.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    usd: isFree ? 0 : isUnpriced ? null : facts.reduce((sum, one) => sum + costOf(one), 0),
    minutes: 0,
    unanswered: facts.reduce((sum, { spend }) => sum + (spend?.unanswered ?? 0), 0),
  };
}
