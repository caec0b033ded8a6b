import { isLastingFailure } from '../../../src-shared/display/taskTexts.ts';
import type {
  StoredTaskSettings,
  TaskEvaluation,
  TaskEvaluationRequest,
  TaskEvent,
  TaskPlan,
  TaskPlanFacts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import { judgesOf } from '../../../src-shared/domain/judges.ts';
import { taskShardHead, taskShardRun } from '../../../src-shared/domain/taskShardContent.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { FrozenTask } from '../../store/evaluations/entries.ts';
import { leftOutOf, refuseFaults } from '../evaluations/plan/evaluationSources.ts';
import type { PlannedWires } from '../evaluations/plan/planModels.ts';
import { noPrices } from '../models/prices.ts';
import type { EngineParts } from '../runs/runEngine.ts';
import { taskTables } from '../runs/runTables.ts';
import type { Unit } from '../runs/unit.ts';
import { shownEvaluation } from '../runs/shownEvaluation.ts';
import { requireConsent } from './consent.ts';
import { openPart } from '../runs/merge/partFile.ts';
import { insertMergedTasks, type TaskShardPart, recheckTasks } from './merge/mergeTaskShards.ts';
import { judgePrompt } from './judgePrompt.ts';
import { planTaskModels } from './planTaskModels.ts';
import type { SharedServers } from './sharedServers.ts';
import type { TaskJudge } from './taskJudge.ts';
import { TaskRunner, type TaskRequestSpend } from './taskRunner.ts';
import {
  asksJudge,
  inlineToolsOf,
  isJudgeCalibrated,
  isReplay,
  planTasks,
  readTaskSources,
  serversOfTask,
  type TaskSources,
} from './taskSources.ts';
import { readTaskWhatIf, type TaskRepeat } from './taskWhatIf.ts';
import type { ChatModel } from '../../adapters/llm/chatModel.ts';
import type { ToolsToFreeze } from '../../store/servers/toolSnapshots.ts';

export interface TaskTypes {
  row: TaskEvaluationRow;
  event: TaskEvent;
  entry: FrozenTask;
  shown: TaskEvaluation;
  listed: { limit: number; baseId: string | null };
  request: TaskEvaluationRequest;
  plan: TaskPlan;
  repeat: TaskRepeat;
  part: TaskShardPart;
}

export interface TaskUnitParts extends EngineParts {
  /** When absent, plans say nothing about models. */
  wires?: PlannedWires;
  judge: TaskJudge;
  shared: SharedServers;
  /** Hears of each request to a model under test when it is answered. */
  requested: (evaluationId: string, request: TaskRequestSpend) => void;
}

/** Tasks: a run is a conversation that may execute tools, and a resume plays it from its start. */
export function taskUnit(parts: TaskUnitParts): Unit<TaskTypes> {
  const { store, prices = noPrices, wires } = parts;

  /** Fixes what a start decides, whatever the request says. Throws INVALID at what speaks against it. */
  function fixed(sources: TaskSources, plan: TaskPlanFacts): TaskSources {
    refuseFaults(sources.suiteName, plan.problems);
    requireConsent(sources.settings, plan);
    const { settings, suiteName, entries } = sources;
    // A judge that no check asks needs no key.
    const isAsked = entries.some(({ content }) => asksJudge(content));
    const [judge = null, ...moreJudges] = isAsked ? judgesOf(settings) : [];
    const hasUser = entries.some(({ content }) => content.user !== undefined);
    const userModel = hasUser && !isReplay(settings) ? settings.userModel : null;
    return {
      ...sources,
      settings: {
        ...settings,
        judge,
        moreJudges,
        judgeTerms: judge && {
          // The request can't decide whether verdicts count: only labels of people do.
          counts: isJudgeCalibrated(store, suiteName, { judge, moreJudges }),
          price: prices.of(judge),
          morePrices: moreJudges.map((each) => prices.of(each)),
          prompt: judgePrompt.version,
        },
        userModel,
        userPrice: userModel && prices.of(userModel),
      },
    };
  }

  return {
    kind: 'task',
    tables: taskTables(store),
    list: ({ limit, baseId }) => store.evaluations.listWhole(limit, baseId),
    shown: (row) => shownEvaluation(store, 'task', row),
    async plan(request) {
      const sources = await readTaskSources(store, request);
      const plan = planTasks(store, sources, inlineToolsOf(request.inline));
      return {
        ...(await planTaskModels({ store, prices, wires }, sources, plan, request.inline?.tools)),
        ...leftOutOf(store, request, 'task'),
      };
    },
    async toStart(request) {
      const sources = await readTaskSources(store, request);
      return fixed(sources, planTasks(store, sources, inlineToolsOf(request.inline)));
    },
    toRepeat(base, repeat) {
      const { sources, plan, set } = readTaskWhatIf(store, base, repeat);
      return { sources: fixed(sources, plan), set };
    },
    others: (settings: StoredTaskSettings) => [settings.userModel, ...judgesOf(settings)],
    recordedTools,
    neededServers: async ({ id, settings, suite }) => [
      ...new Set(
        store.entries
          .list('task', id)
          .flatMap(({ content }) => serversOfTask(content, settings, suite.servers).all),
      ),
    ],
    insert(evaluation) {
      store.evaluations.insert('task', evaluation);
    },
    // Neither the mode nor the checks can change, so such a run would end the same way.
    mayRetry: (failure) => !isLastingFailure(failure),
    open: (row, models, [userModel = null, ...judges], loop) =>
      new TaskRunner(
        {
          ...{ ...parts, ...loop },
          second: {
            userModel,
            judges: judgesOf(row.settings).flatMap((judge, at) => {
              const model = judges[at];
              return model ? [{ model, name: judge.model }] : [];
            }),
          },
          requested: (request) => parts.requested(row.id, request),
        },
        row,
        models,
      ).loop,
    merged: {
      open: (file) => openPart(file, taskShardHead, taskShardRun),
      entries: { noun: 'tasks', of: ({ tasks }) => tasks },
      recheck: (reports) => recheckTasks(parts.judge, reports),
      rows: (...merged) => insertMergedTasks(parts, ...merged),
    },
  };
}

/**
 * The tools that a replay is judged with: those that its recordings were made with. Null if a model
 * is asked now or a recording has none, so that servers have to list their tools.
 */
function recordedTools(models: readonly Pick<ChatModel, 'replayTools'>[]): ToolsToFreeze | null {
  const found = models.map((model) => model.replayTools?.() ?? null);
  const [first] = found;
  // Recordings of one evaluation hold the same tools; a difference shows as runs that are missing.
  if (!first || found.includes(null) || first.servers.length === 0) return null;
  return {
    servers: first.servers,
    tools: first.tools.map((tool) => ({ serverId: null, tool })),
  };
}
