import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { evaluationSettings } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
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
import type { TaskEvaluationRow } from '../../store/tasks/taskEvaluations.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { closeModelsOnError, requirePrices } from '../evaluations/plan/openModels.ts';
import type { WireDescriptions } from '../evaluations/read/runDetails.ts';
import type { PlannedWires } from '../evaluations/plan/planModels.ts';
import { commitInChunks } from '../evaluations/run/commitInChunks.ts';
import { EventStream } from '../evaluations/run/eventStream.ts';
import { Resumes } from '../evaluations/run/resumes.ts';
import { tellEnd } from '../evaluations/run/tellEnd.ts';
import { freezeInlineTools } from '../evaluations/tools/freezeInlineTools.ts';
import type { Prices } from '../models/prices.ts';
import type { TokenCounts } from '../tokens/tokenCounts.ts';
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
import { recoverTaskEvaluations } from './recoverTaskEvaluations.ts';
import { readTaskWhatIf, type RepeatRequest } from './taskWhatIf.ts';

/** As many runs as a person picks one from. */
const maxOtherRuns = 300;

const deletedEvaluation = z.object({ id: z.string() });

export interface TaskEvaluationsParts extends Pick<WireDescriptions, 'mapTools'> {
  store: Store;
  tokens: TokenCounts;
  connect: ConnectMcp;
  openChatModel: OpenChatModel;
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
  readonly #runners = new Map<string, { runner: TaskRunner; done: Promise<void> }>();
  readonly #stream: EventStream<TaskEvent>;
  readonly #resumes: Resumes;
  /** Evaluations whose runner ended without being able to store that. */
  readonly #stuck = new Set<string>();
  readonly #onEnd = new Set<(id: string) => void>();
  readonly #judge = new TaskJudge();
  readonly #heard = new Map<string, (request: TaskRequestSpend) => void>();
  /** One for the program: runs of all evaluations share servers over HTTP. */
  readonly #shared = new SharedServers();
  #closed = false;

  constructor(parts: TaskEvaluationsParts) {
    this.#parts = parts;
    const { store, owner } = parts;
    this.#stream = new EventStream(
      store.taskEvents,
      (id) => this.#runners.has(id) || this.#resumes.has(id),
    );
    this.#resumes = new Resumes(store.taskEvaluations, store.transaction, owner);
  }

  /** Calls `ended` when an evaluation has ended, before its last event is published. */
  onEnd(ended: (id: string) => void): void {
    this.#onEnd.add(ended);
  }

  /** Marks evaluations of processes that are gone as interrupted. */
  recover(): void {
    recoverTaskEvaluations(this.#parts);
  }

  /** Interrupts running evaluations and waits until that is stored and their servers are gone. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#runners.values()];
    for (const { runner } of running) runner.interrupt();
    await Promise.all(running.map(({ done }) => done));
    await this.#judge[Symbol.asyncDispose]();
  }

  async list({
    limit,
    baseId,
  }: Input<'taskEvaluations', 'list'>): Promise<Output<'taskEvaluations', 'list'>> {
    const { store } = this.#parts;
    return store.taskEvaluations.list(limit, baseId).map((row) => shownTaskEvaluation(store, row));
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
  async start(
    request: Input<'taskEvaluations', 'start'>,
  ): Promise<Output<'taskEvaluations', 'start'>> {
    const { store } = this.#parts;
    const { inline } = request;
    const sources = readTaskSources(store, request);
    return this.#launch(sources, planTasks(store, sources, inlineToolsOf(inline)), (models) => {
      if (inline?.tools) return freezeInlineTools(store, inline.tools);
      const recorded = recordedTools(models);
      return recorded === null ? null : store.toolSnapshots.freeze(recorded).id;
    });
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
  async whatIf(
    request: Input<'taskEvaluations', 'whatIf'>,
  ): Promise<Output<'taskEvaluations', 'whatIf'>> {
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
    const { models, second, all } = await openTaskModels(this.#parts.openChatModel, fixed.settings);
    const id = nextId();
    const at = clock.now();
    const opened = new Map<string, ChatModel>();
    const event = await closeModelsOnError(all, () =>
      commitInChunks(
        this.#parts,
        insertTaskPlan(
          { store, nextId, prices, owner },
          { id, at, sources: fixed, models, opened },
        ),
        () => {
          const snapshotId = freeze(models.map(({ model }) => model));
          if (snapshotId !== null) store.taskEvaluations.setSnapshot(id, snapshotId);
          // The evaluation becomes visible only here.
          store.taskEvaluations.setDeleted(id, null);
          planned?.(id);
          return store.taskEvents.append(id, at, { type: 'planned', runs: plan.runs });
        },
        () => this.#throwIfClosed(),
      ),
    );
    this.#stream.publish(id, event);
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

  async cancel({
    id,
  }: Input<'taskEvaluations', 'cancel'>): Promise<Output<'taskEvaluations', 'cancel'>> {
    const row = this.#find(id);
    await this.#resumes.settled(row.id);
    const active = this.#runners.get(row.id);
    if (active) {
      active.runner.cancel();
      await active.done;
    } else if (!hasEnded(this.#find(row.id).state))
      throw new ServiceError('CONFLICT', {
        thing: `Task evaluation #${row.number}`,
        cause: 'It is not running in this window.',
        nextStep: 'Reload the page.',
      });
    return this.#get(row.id);
  }

  /**
   * Runs again what is not scored, each from its start, and what waited. Returns an evaluation that
   * runs already as it is.
   */
  async resume({
    id: named,
  }: Input<'taskEvaluations', 'resume'>): Promise<Output<'taskEvaluations', 'resume'>> {
    const row = this.#find(named);
    const { id } = row;
    if (this.#runners.has(id)) return this.#get(id);
    try {
      await this.#resumes.start(row, this.#stuck.has(id), () => this.#resume(row));
    } finally {
      // Who watched a resume that failed has nothing to wait for.
      this.#stream.wakeReaders(id);
    }
    return this.#get(id);
  }

  async #resume(row: TaskEvaluationRow): Promise<void> {
    const { id } = row;
    const { models, second, all } = await openTaskModels(this.#parts.openChatModel, row.settings);
    const opened = new Map(
      models.map(({ model }, index) => [row.modelSettingsIds[index] ?? '', model]),
    );
    const event = await closeModelsOnError(all, async () => {
      this.#throwIfClosed();
      return planTaskRetries(this.#parts, id);
    });
    this.#stream.publish(id, event);
    this.#run(id, opened, second);
  }

  watch(
    { id, afterSeq }: Input<'taskEvaluations', 'watch'>,
    { signal }: CallOptions,
  ): AsyncIterable<Output<'taskEvaluations', 'watch'>> {
    return this.#stream.watch(this.#find(id).id, afterSeq, signal);
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
      labels: this.#parts.store.taskLabels.ofRun(run.id),
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
    return store.taskRuns
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
    const found = store.taskRuns.get(this.#find(id).id, runId);
    return found === null ? [] : store.taskRuns.exchanges(runId);
  }

  /** Hides an evaluation until the trash is emptied. Returns a token to undo it. */
  async remove({
    id: named,
  }: Input<'taskEvaluations', 'remove'>): Promise<Output<'taskEvaluations', 'remove'>> {
    const { store, clock } = this.#parts;
    const { id, number, suiteName } = this.#find(named);
    if (this.#runners.has(id) || this.#resumes.has(id)) await this.cancel({ id });
    const what = `Task evaluation #${number} of ${suiteName}`;
    return store.transaction(() => {
      store.taskEvaluations.setDeleted(id, clock.now());
      const kind = 'task_evaluation';
      return { token: store.trash.put({ kind, title: what, content: { id } }), what };
    });
  }

  /** Undoes `remove`; call inside the transaction that takes the token. */
  restore(content: unknown): void {
    this.#parts.store.taskEvaluations.setDeleted(deletedEvaluation.parse(content).id, null);
  }

  #run(id: string, models: ReadonlyMap<string, ChatModel>, second: SecondModels): void {
    const { store, clock, owner } = this.#parts;
    const row = this.#find(id);
    store.taskEvaluations.setState(id, {
      state: 'running',
      reason: null,
      owner,
      startedAt: clock.now(),
      completedAt: null,
    });
    this.#stuck.delete(id);
    let isStored = false;
    const publish = (event: TaskEvent) => {
      if (event.type === 'ended') {
        isStored = true;
        tellEnd(this.#onEnd, id, this.#parts.log);
      }
      this.#stream.publish(id, event);
    };
    const runner = new TaskRunner(
      {
        ...this.#parts,
        shared: this.#shared,
        judge: this.#judge,
        second,
        publish,
        requested: (request) => {
          this.#heard.get(id)?.(request);
        },
        freezeTools: (signal) => freezeTaskTools(this.#parts, row, publish, signal),
      },
      row,
      models,
    );
    const done = runner.run().then(() => {
      this.#runners.delete(id);
      if (!isStored) this.#stuck.add(id);
      this.#heard.delete(id);
      this.#stream.wakeReaders(id);
    });
    this.#runners.set(id, { runner, done });
  }

  #throwIfClosed(): void {
    if (this.#closed)
      throw new ServiceError('TROUBLE', {
        thing: 'The evaluation',
        cause: 'Touchstone is shutting down.',
        nextStep: 'Start it again after a restart.',
      });
  }

  #findRun(input: Input<'taskEvaluations', 'run'>) {
    return findTaskRun(this.#parts.store, input);
  }

  #find(id: string): TaskEvaluationRow {
    return findTaskEvaluation(this.#parts.store, id);
  }

  #get(id: string): TaskEvaluation {
    return shownTaskEvaluation(this.#parts.store, this.#find(id));
  }
}
