import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type {
  TaskEvaluation,
  TaskEvent,
  TaskPlanFacts,
} from '../../../src-shared/domain/taskEvaluation.ts';
import type { ChatModel, OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';
import type { Clock, NextId } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { alignTrajectories } from '../../scoring/tasks/alignTrajectories.ts';
import { repeatsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import type { Store } from '../../store/store.ts';
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { withKeptSecrets, type RequestSecrets } from '../models/requestSecrets.ts';
import { closeModelsOnError, requirePrices } from '../evaluations/plan/openModels.ts';
import type { WireDescriptions } from '../evaluations/read/runDetails.ts';
import type { PlannedWires } from '../evaluations/plan/planModels.ts';
import { ActiveRuns } from '../runs/activeRuns.ts';
import { taskTables } from '../runs/runTables.ts';
import { freezeInlineTools } from '../evaluations/tools/freezeInlineTools.ts';
import type { Prices } from '../models/prices.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { requireConsent } from './consent.ts';
import { freezeTaskTools } from './freezeTaskTools.ts';
import { recordedTools } from './recordedTools.ts';
import { insertTaskPlan } from './insertTaskPlan.ts';
import { openTaskModels, type SecondModels } from './openTaskModels.ts';
import { mergeTaskShards } from './merge/mergeTaskShards.ts';
import { readTaskShard } from './merge/readTaskShard.ts';
import { planTaskRetries } from './planTaskRetries.ts';
import { planTaskModels } from './planTaskModels.ts';
import { readRunRows, readTaskReport, toRunRow } from './readTaskReport.ts';
import { SharedServers } from './sharedServers.ts';
import { findTaskRun } from './findTaskRun.ts';
import { labelRuns } from './labelRuns.ts';
import { findTaskEvaluation, shownTaskEvaluation } from './shownTaskEvaluation.ts';
import { TaskJudge } from './taskJudge.ts';
import { TaskRunner, type TaskRequestSpend } from './taskRunner.ts';
import {
  asksJudge,
  inlineToolsOf,
  isJudgeCalibrated,
  isReplay,
  planTasks,
  readTaskSources,
  type TaskSources,
} from './taskSources.ts';
import { readTaskWhatIf, type RepeatRequest } from './taskWhatIf.ts';

/** As many runs as a person picks one from. */
const maxOtherRuns = 300;

const deletedEvaluation = z.object({ id: z.string() });

export interface TaskEvaluationsParts extends Pick<WireDescriptions, 'mapTools'> {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
  requestSecrets?: RequestSecrets;
  /** When absent, plans say nothing about models. */
  wires?: PlannedWires;
  prices: Prices;
  clock: Clock;
  nextId: NextId;
  /** The process that runs evaluations: process id and start time. */
  owner: string;
  log?: Log | null;
}

/** Evaluations of tasks: planned, started, watched, read, and removed. */
export class TaskEvaluationsService implements ServiceFor<'taskEvaluations'> {
  readonly #parts: TaskEvaluationsParts;
  readonly #active: ActiveRuns<TaskEvent>;
  readonly #judge = new TaskJudge();
  readonly #heard = new Map<string, (request: TaskRequestSpend) => void>();
  /** One for the program: runs of all evaluations share servers over HTTP. */
  readonly #shared = new SharedServers();

  constructor(parts: TaskEvaluationsParts) {
    this.#parts = parts;
    this.#active = new ActiveRuns(parts, taskTables(parts.store));
    this.onEnd((id) => void this.#heard.delete(id));
  }

  /** Calls `ended` when an evaluation has ended, before its last event is published. */
  onEnd(ended: (id: string) => void): void {
    this.#active.onEnd(ended);
  }

  /** Marks evaluations of processes that are gone as interrupted. */
  recover(): void {
    this.#active.recover();
  }

  /** Interrupts running evaluations and waits until that is stored and their servers are gone. */
  async close(): Promise<void> {
    await this.#active.close();
    await this.#judge[Symbol.asyncDispose]();
  }

  async list({
    limit,
    baseId,
  }: Input<'taskEvaluations', 'list'>): Promise<Output<'taskEvaluations', 'list'>> {
    const { store } = this.#parts;
    return store.evaluations
      .listWhole(limit, baseId)
      .map((row) => shownTaskEvaluation(store, row, this.#active.blockedReason(row.id)));
  }

  async get({ id }: Input<'taskEvaluations', 'get'>): Promise<Output<'taskEvaluations', 'get'>> {
    return this.#get(id);
  }

  async plan(
    request: Input<'taskEvaluations', 'plan'>,
  ): Promise<Output<'taskEvaluations', 'plan'>> {
    const { store } = this.#parts;
    const { tools } = request.inline ?? {};
    const sources = readTaskSources(store, request);
    const plan = planTasks(store, sources, inlineToolsOf(request.inline));
    return planTaskModels(this.#parts, sources, plan, tools);
  }

  /**
   * Plans and starts an evaluation. Throws INVALID with the first error of its plan, and without
   * the consent that its mode needs.
   */
  async start(given: Input<'taskEvaluations', 'start'>): Promise<TaskEvaluation> {
    const { store } = this.#parts;
    const request = await withKeptSecrets(this.#parts, given);
    const sources = readTaskSources(store, request);
    return this.#launch(
      sources,
      planTasks(store, sources, inlineToolsOf(request.inline)),
      (models) => {
        if (request.inline?.tools) return freezeInlineTools(store, request.inline.tools);
        const recorded = recordedTools(models);
        return recorded === null ? null : store.toolSnapshots.freeze(recorded).id;
      },
    );
  }

  async snapshot({
    id,
  }: Input<'taskEvaluations', 'snapshot'>): Promise<Output<'taskEvaluations', 'snapshot'>> {
    const { snapshotId } = this.#find(id);
    return snapshotId === null ? null : this.#parts.store.toolSnapshots.get(snapshotId);
  }

  async planWhatIf(
    request: Input<'taskEvaluations', 'planWhatIf'>,
  ): Promise<Output<'taskEvaluations', 'planWhatIf'>> {
    const { sources, plan, set } = readTaskWhatIf(
      this.#parts.store,
      this.#find(request.id),
      request,
    );
    return planTaskModels(
      this.#parts,
      sources,
      plan,
      set.tools.map(({ tool }) => tool),
    );
  }

  /** Repeats the tasks of an evaluation with changed tools. Throws as `start` does. */
  async whatIf(request: Input<'taskEvaluations', 'whatIf'>): Promise<TaskEvaluation> {
    const { store } = this.#parts;
    const { sources, plan, set } = readTaskWhatIf(store, this.#find(request.id), request);
    return this.#launch(sources, plan, () => store.toolSnapshots.freeze(set).id);
  }

  /**
   * Repeats some tasks of an evaluation, as a what-if does. `planned` is called in the commit of the
   * plan, with the id of the evaluation. Throws as `start` does.
   */
  async repeatTasks(
    request: RepeatRequest,
    positions: readonly number[],
    planned?: (evaluationId: string) => void,
  ): Promise<TaskEvaluation> {
    const { store } = this.#parts;
    const base = this.#find(request.id);
    const { sources, plan, set } = readTaskWhatIf(store, base, request, positions);
    return this.#launch(sources, plan, () => store.toolSnapshots.freeze(set).id, planned);
  }

  /** Hears of every request to a model under test, until the evaluation ends or is interrupted. */
  onRequests(id: string, heard: (request: TaskRequestSpend) => void): void {
    this.#heard.set(id, heard);
  }

  /** Starts what is planned. `freeze` returns the snapshot to use, or null to ask the servers. */
  async #launch(
    sources: TaskSources,
    plan: TaskPlanFacts,
    freeze: (models: readonly ChatModel[]) => string | null,
    planned?: (evaluationId: string) => void,
  ): Promise<TaskEvaluation> {
    const { store, clock, nextId, prices, owner } = this.#parts;
    const fault = plan.problems.find(({ severity }) => severity === 'error');
    if (fault)
      throw new ServiceError('INVALID', {
        thing: sources.suiteName,
        cause: fault.message,
        nextStep: '',
      });
    requireConsent(sources.settings, plan);
    const { settings, suiteName, tasks } = sources;
    const chatSettings = evaluationSettings.strip().parse(settings);
    // A judge that no check asks needs no key.
    const judge = tasks.some(({ content }) => asksJudge(content)) ? settings.judge : null;
    const hasUser = tasks.some(({ content }) => content.user !== undefined);
    const userModel = hasUser && !isReplay(settings) ? settings.userModel : null;
    const asked = [...chatSettings.models, judge, userModel].filter((model) => model !== null);
    requirePrices({ ...chatSettings, models: asked }, prices);
    const fixed: TaskSources = {
      ...sources,
      settings: {
        ...settings,
        judge,
        judgeTerms: judge && {
          // The request can't decide whether verdicts count: only labels of people do.
          counts: isJudgeCalibrated(store, suiteName, judge),
          price: prices.of(judge),
        },
        userModel,
        userPrice: userModel && prices.of(userModel),
      },
    };
    const { models, second, all } = await openTaskModels(this.#parts.openChatModel, fixed);
    const id = nextId();
    const at = clock.now();
    const opened = new Map<string, ChatModel>();
    const rows = insertTaskPlan(
      { store, nextId, prices, owner },
      { id, at, sources: fixed, models, opened },
    );
    await closeModelsOnError(all, () =>
      this.#active.plan({ id, at, runs: plan.runs }, rows, () => {
        planned?.(id);
        return freeze(models.map(({ model }) => model));
      }),
    );
    this.#run(id, opened, second);
    return this.#get(id);
  }

  async shard({
    id,
  }: Input<'taskEvaluations', 'shard'>): Promise<Output<'taskEvaluations', 'shard'>> {
    const row = this.#find(id);
    return row.settings.shard && readTaskShard(this.#parts.store, row, row.settings.shard);
  }

  /** One ended evaluation made of the reports of all its parts. */
  async merge({
    parts,
  }: Input<'taskEvaluations', 'merge'>): Promise<Output<'taskEvaluations', 'merge'>> {
    return this.#get(await mergeTaskShards(this.#parts, parts));
  }

  async cancel({ id }: Input<'taskEvaluations', 'cancel'>): Promise<TaskEvaluation> {
    const row = this.#find(id);
    await this.#active.cancel(row);
    return this.#get(row.id);
  }

  /**
   * Runs again what is not scored, each from its start, and what waited. Returns an evaluation that
   * runs already as it is.
   */
  async resume({
    id,
  }: Input<'taskEvaluations', 'resume'>): Promise<Output<'taskEvaluations', 'resume'>> {
    const row = this.#find(id);
    await this.#active.resume(row, () => this.#resume(row));
    return this.#get(row.id);
  }

  async #resume(row: TaskEvaluationRow): Promise<void> {
    const { id } = row;
    const { models, second, all } = await openTaskModels(this.#parts.openChatModel, row);
    const opened = new Map(
      models.map(({ model }, index) => [row.modelSettingsIds[index] ?? '', model]),
    );
    const at = this.#parts.clock.now();
    const rows = planTaskRetries(this.#parts, id, at);
    await closeModelsOnError(all, () => this.#active.planAgain(id, at, rows));
    this.#run(id, opened, second);
  }

  watch(
    { id, afterSeq }: Input<'taskEvaluations', 'watch'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'taskEvaluations', 'watch'>> {
    return this.#active.stream.watch(this.#find(id).id, afterSeq, signal);
  }

  async report({
    id,
  }: Input<'taskEvaluations', 'report'>): Promise<Output<'taskEvaluations', 'report'>> {
    return readTaskReport(this.#parts.store, this.#find(id), this.#parts.mapTools);
  }

  async runs({ id }: Input<'taskEvaluations', 'runs'>): Promise<Output<'taskEvaluations', 'runs'>> {
    return readRunRows(this.#parts.store, this.#find(id));
  }

  async run(input: Input<'taskEvaluations', 'run'>): Promise<Output<'taskEvaluations', 'run'>> {
    const { task, run, trajectory } = this.#findRun(input);
    // A succeeded run of the task may say what was expected, so all of them are read.
    const row = readRunRows(this.#parts.store, this.#find(input.id)).find(
      ({ runId }) => runId === run.id,
    );
    return {
      ...(row ?? toRunRow(run, task, null)),
      content: task.content,
      trajectory,
      repeats: trajectory === null ? [] : repeatsOf(trajectory),
      verdict: run.verdict,
      labels: this.#parts.store.labels.ofRun(run.id),
    };
  }

  /**
   * Keeps what a person says about judge checks of runs: yes, no, or null to take it back. Throws
   * before any is kept if a run or a check doesn't exist.
   */
  async label({
    labels,
  }: Input<'taskEvaluations', 'label'>): Promise<Output<'taskEvaluations', 'label'>> {
    return labelRuns(this.#parts.store, labels);
  }

  async otherRuns(
    input: Input<'taskEvaluations', 'otherRuns'>,
  ): Promise<Output<'taskEvaluations', 'otherRuns'>> {
    const { store } = this.#parts;
    const { id, task } = this.#findRun(input);
    return store.playedTasks
      .ofTask(id, task.key, maxOtherRuns)
      .filter(({ runId }) => runId !== input.runId)
      .map(({ modelSettingsId, ...run }) => {
        const model = store.modelSettings.get(modelSettingsId);
        return { ...run, model: model === null ? '' : modelLabel(model) };
      });
  }

  async align({
    run,
    reference,
  }: Input<'taskEvaluations', 'align'>): Promise<Output<'taskEvaluations', 'align'>> {
    const [own, other] = [this.#findRun(run), this.#findRun(reference)];
    return alignTrajectories(own.trajectory?.steps ?? [], other.trajectory?.steps ?? []);
  }

  async exchanges({
    id,
    runId,
  }: Input<'taskEvaluations', 'exchanges'>): Promise<Output<'taskEvaluations', 'exchanges'>> {
    const { store } = this.#parts;
    const found = store.playedTasks.get(this.#find(id).id, runId);
    return found === null ? [] : store.steps.exchanges(runId);
  }

  /** Hides an evaluation until the trash is emptied. Returns a token to undo it. */
  async remove({
    id: named,
  }: Input<'taskEvaluations', 'remove'>): Promise<Output<'taskEvaluations', 'remove'>> {
    const { store, clock } = this.#parts;
    const row = this.#find(named);
    const { id, number, suiteName } = row;
    if (this.#active.has(id)) await this.#active.cancel(row);
    const what = `Task evaluation #${number} of ${suiteName}`;
    return store.transaction(() => {
      store.evaluations.setDeleted(id, clock.now());
      const kind = 'task_evaluation';
      return { token: store.trash.put({ kind, title: what, content: { id } }), what };
    });
  }

  /** Undoes `remove`; call inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#parts.store.evaluations.setDeleted(deletedEvaluation.parse(content).id, null);
  }

  #run(id: string, models: ReadonlyMap<string, ChatModel>, second: SecondModels): void {
    const row = this.#find(id);
    this.#active.run(
      id,
      (publish) =>
        new TaskRunner(
          {
            ...this.#parts,
            ...{ shared: this.#shared, judge: this.#judge, second, publish },
            requested: (request) => this.#heard.get(id)?.(request),
            freezeTools: (signal) => freezeTaskTools(this.#parts, row, publish, signal),
          },
          row,
          models,
        ).loop,
    );
  }

  #findRun(input: Input<'taskEvaluations', 'run'>) {
    return findTaskRun(this.#parts.store, input);
  }

  #find(id: string): TaskEvaluationRow {
    return findTaskEvaluation(this.#parts.store, id);
  }

  #get(id: string): TaskEvaluation {
    const row = this.#find(id);
    return shownTaskEvaluation(this.#parts.store, row, this.#active.blockedReason(row.id));
  }
}
