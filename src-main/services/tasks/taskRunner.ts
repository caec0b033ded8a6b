import { errorText } from '../../../src-shared/domain/errorText.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { isInShard } from '../../../src-shared/domain/shard.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { TokenUsage } from '../../../src-shared/domain/observation.ts';
import type { Price } from '../../../src-shared/domain/price.ts';
import type {
  TaskStub,
  TaskVerdict,
  Trajectory,
  TrajectoryStep,
} from '../../../src-shared/domain/task.ts';
import type { TaskEvent, TaskFailure } from '../../../src-shared/domain/taskEvaluation.ts';
import type { ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import type { RecordedRun } from '../../../src-shared/domain/recordedExchange.ts';
import type { AskedWith } from '../../adapters/llm/replyTrouble.ts';
import type { ChatModel, TaskToRecord } from '../../adapters/llm/chatModel.ts';
import { SendingHalted } from '../../adapters/llm/request/requestAccount.ts';
import type { McpTarget } from '../../adapters/mcp/mcpConnection.ts';
import { withJudgements } from '../../scoring/tasks/judgeTask.ts';
import { effectsOf, type ToolEffects } from '../../scoring/tasks/trajectoryFacts.ts';
import type { FrozenTask, TaskEvaluationRow } from '../../store/tasks/taskEvaluations.ts';
import type { Exchange, WaitingTaskRun } from '../../store/tasks/taskRuns.ts';
import type { Store } from '../../store/store.ts';
import type { Clock } from '../../runtime/clock.ts';
import { appendInstructions, FrozenTools } from '../evaluations/tools/offeredTools.ts';
import { packRequest } from '../evaluations/read/rawRequest.ts';
import { GroupCommit } from '../runs/groupCommit.ts';
import { HaltedModels } from '../runs/haltedModels.ts';
import { keepRefused } from '../runs/keepRefused.ts';
import { SpendMeter } from '../runs/spendMeter.ts';
import { endRuns } from '../runs/endRuns.ts';
import type { Runner } from '../runs/activeRuns.ts';
import { taskTables, type EarlyEnd } from '../runs/runTables.ts';
import { writeEndedTasks, type EndedTask } from './endedTasks.ts';
import { haltingModel } from './haltingModel.ts';
import { askJudge } from './modelJudge.ts';
import { modeObstacle } from './modeObstacle.ts';
import type { SecondModels } from './openTaskModels.ts';
import { runFacts, sumOfCosts } from './runFacts.ts';
import { recordTools } from './recordTools.ts';
import { RunJournal } from './runJournal.ts';
import { RunSpend } from './runSpend.ts';
import { runTask } from './runTask.ts';
import { cutShort, failureOf, notRun, whyUnscored } from './unscoredEnds.ts';
import { trajectoryFor } from './recordedStates.ts';
import { openEnvironment, type EnvironmentParts, type TaskEnvironment } from './taskEnvironment.ts';
import type { TaskJudge } from './taskJudge.ts';
import { serversOfTask } from './taskSources.ts';
import { recordedStubs } from './taskWhatIf.ts';

const pageSize = 200;

/** What one request to the model under test used; the cost is null if it isn't known. */
export interface TaskRequestSpend {
  usage: TokenUsage | null;
  cost: number | null;
}

export interface TaskRunnerParts extends EnvironmentParts {
  store: Store;
  judge: TaskJudge;
  clock: Clock;
  publish: (event: TaskEvent) => void;
  second: SecondModels;
  /** Hears of each request to the model under test when it is answered. */
  requested: (request: TaskRequestSpend) => void;
  /** Returns the frozen tools: stored ones, or those of servers that have not answered yet. */
  freezeTools: (signal: AbortSignal) => Promise<ToolSnapshot>;
}

/** What a run is paid from, what aborts it, and as much as was played of it. */
interface Watched {
  spend: RunSpend;
  signal: AbortSignal;
  steps: TrajectoryStep[];
  journal: RunJournal;
}

/**
 * Runs one evaluation of tasks from its committed plan to its end. A run and its whole trajectory
 * are committed together, so that a program that is killed leaves no half-counted run. The runner
 * ends early when it is cancelled or interrupted, which aborts requests, or stopped by an error that
 * no further run could survive or by the spend limit: then requests under way are awaited, because
 * they are paid for, and no other is sent. What a run did and cost until then stays with it.
 */
export class TaskRunner implements Runner {
  readonly #parts: TaskRunnerParts;
  readonly #evaluation: TaskEvaluationRow;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #abort = new AbortController();
  readonly #earlyEnd = new AbortController();
  readonly #halted = new HaltedModels();
  readonly #group: GroupCommit<EndedTask>;
  readonly #prices: ReadonlyMap<string, Price | null>;
  readonly #spend: SpendMeter;
  readonly #tasks: ReadonlyMap<number, FrozenTask>;
  readonly #targets: ReadonlyMap<string, McpTarget>;
  /** What servers say about their tools, by id. */
  #effects: ReadonlyMap<string, ToolEffects> = new Map();
  readonly #keepRefused: () => void;
  #stopped: { reason: string; disk: boolean } | null = null;
  /** Results of the base of a what-if, read once they are needed. */
  #recorded: ReturnType<typeof recordedStubs> | null = null;

  constructor(
    parts: TaskRunnerParts,
    evaluation: TaskEvaluationRow,
    models: ReadonlyMap<string, ChatModel>,
  ) {
    const { store } = parts;
    this.#parts = parts;
    this.#evaluation = evaluation;
    this.#models = models;
    this.#prices = store.taskEvaluations.prices(evaluation.id);
    this.#tasks = new Map(
      store.taskEvaluations.tasks(evaluation.id).map((task) => [task.position, task]),
    );
    this.#targets = new Map(
      store.servers.list().map(({ name, config }) => [name, { name, config }]),
    );
    const limitUsd = evaluation.settings.spendLimitUsd;
    // Only a limit needs what was spent before a resume.
    this.#spend = new SpendMeter(
      limitUsd,
      limitUsd === null ? undefined : store.taskRuns.spent(evaluation.id),
    );
    this.#keepRefused = keepRefused(evaluation.id, models, store.taskEvaluations.setRefused);
    this.#group = new GroupCommit<EndedTask>({
      commit: (started, ended) => {
        this.#keepRefused();
        writeEndedTasks(parts, evaluation.id, started, ended);
      },
      idOf: ({ run }) => run.id,
      onError: (error) => this.#stop(errorText(error), true),
    });
  }

  get stoppedBy(): { reason: string; disk: boolean } | null {
    return this.#stopped;
  }

  /** Writes the results that a full disk held back. Throws while it is still full. */
  retryCommit(): void {
    this.#group.flush();
  }

  cancel(): void {
    this.#endEarly('cancelled');
  }

  /** Touchstone is shutting down. */
  interrupt(): void {
    this.#endEarly('interrupted');
  }

  #endEarly(by: EarlyEnd): void {
    this.#earlyEnd.abort(by);
    this.#abort.abort();
  }

  /** Never throws: what could not be stored is kept for `retryCommit`. */
  async run(): Promise<void> {
    const { signal } = this.#abort;
    try {
      const snapshot = await this.#parts.freezeTools(signal);
      await this.#runAll(snapshot);
    } catch (error) {
      if (!signal.aborted) this.#stop(errorText(error));
    }
    try {
      this.#group.flush();
      this.#keepRefused();
      const early = this.#earlyEnd.signal;
      this.#parts.publish(
        endRuns(this.#parts, taskTables(this.#parts.store), this.#evaluation.id, {
          endedBy: early.aborted ? (early.reason as EarlyEnd) : null,
          // By now, runs that were in progress have added to the spend.
          stopReason: this.#spend.refused ?? this.#stopped?.reason ?? null,
          haltReasons: this.#halted.reasons,
          shard: this.#evaluation.settings.shard,
        }),
      );
    } catch (error) {
      this.#stop(errorText(error), true);
    } finally {
      const { judgeModel, userModel } = this.#parts.second;
      await Promise.allSettled(
        [...this.#models.values(), judgeModel, userModel].map(async (model) => model?.close()),
      );
    }
  }

  async #runAll(snapshot: ToolSnapshot): Promise<void> {
    const tools = new FrozenTools(snapshot);
    this.#effects = new Map(
      snapshot.tools.map((tool) => [toolId(tool.server, tool.name), effectsOf(tool.annotations)]),
    );
    await recordTools(this.#models.values(), this.#parts.store, snapshot);
    const waiting = this.#waitingRuns();
    const slots = Array.from({ length: this.#evaluation.settings.concurrency }, async () => {
      for (let next = waiting.next(); !next.done; next = waiting.next()) {
        if (this.#abort.signal.aborted || this.#stopped !== null) return;
        if (!this.#halted.has(next.value.modelSettingsId))
          await this.#process(next.value, snapshot, tools);
      }
    });
    await Promise.all(slots);
  }

  *#waitingRuns(): Generator<WaitingTaskRun, undefined> {
    const { shard } = this.#evaluation.settings;
    let cursor = 0;
    for (;;) {
      const page = this.#parts.store.taskRuns.waiting(this.#evaluation.id, cursor, pageSize);
      for (const run of page) {
        cursor = run.rowid;
        if (shard === null || isInShard(run.position, shard)) yield run;
      }
      if (page.length < pageSize) return;
    }
  }

  async #process(run: WaitingTaskRun, snapshot: ToolSnapshot, tools: FrozenTools): Promise<void> {
    const task = this.#tasks.get(run.position);
    const model = this.#models.get(run.modelSettingsId);
    if (!task || !model) throw new Error(`The run ${run.id} has no task or no model.`);
    const { settings, suite } = this.#evaluation;
    const servers = serversOfTask(task.content, settings, suite.servers);
    const known = tools.offer(servers.all).tools;
    const obstacle = this.#obstacle(task, servers.all, snapshot, known);
    if (obstacle) {
      this.#finish(run, task, obstacle.failure, {
        trajectory: notRun(obstacle.message),
        exchanges: [],
      });
      return;
    }
    if (!this.#spend.tryBegin()) {
      this.#stopped ??= { reason: this.#spend.refusal, disk: false };
      return;
    }
    this.#group.start(run.id);
    const watched: Watched = {
      spend: this.#spendOf(run),
      signal: this.#abort.signal,
      steps: [],
      journal: new RunJournal(this.#parts.store, run.id),
    };
    const { spend, steps, journal } = watched;
    try {
      await this.#work(run, task, { servers, tools, model }, watched);
    } catch (error) {
      const { failure, end } = cutShort(error, this.#earlyEnd.signal);
      this.#finish(run, task, failure, {
        trajectory: { steps, end, states: {} },
        exchanges: journal.exchanges,
        spend,
      });
    } finally {
      this.#spend.end(spend.usd, spend.usd);
    }
  }

  /** Counts what a run costs. Only a limit needs to know after a kill what was spent. */
  #spendOf({ id, modelSettingsId }: WaitingTaskRun): RunSpend {
    const { spendLimitUsd, userPrice, judgeTerms } = this.#evaluation.settings;
    return new RunSpend(
      {
        model: this.#prices.get(modelSettingsId) ?? null,
        user: userPrice,
        judge: judgeTerms?.price ?? null,
      },
      // A run that is being judged needs its model no more.
      (by) => (by === 'judge' ? this.#halted.all : this.#halted.signalOf(modelSettingsId)),
      (usd) => {
        if (spendLimitUsd !== null) this.#parts.store.taskRuns.addSpent(id, usd);
        this.#spend.add(usd);
        // What runs in progress still need was allowed for, but not beyond the limit.
        if (this.#spend.isReached) this.#halted.haltAll(this.#spend.refusal);
      },
    );
  }

  /** Plays one run with servers of its own and judges it. */
  async #work(
    run: WaitingTaskRun,
    task: FrozenTask,
    {
      servers,
      tools,
      model,
    }: {
      servers: { shown: readonly string[]; all: string[] };
      tools: FrozenTools;
      model: ChatModel;
    },
    watched: Watched,
  ): Promise<void> {
    const { signal, spend, journal } = watched;
    const { exchanges } = journal;
    const price = this.#prices.get(run.modelSettingsId) ?? null;
    const { settings, suite } = this.#evaluation;
    const { content } = task;
    const toRecord: TaskToRecord = {
      system: appendInstructions(
        suite.system,
        settings.serverInstructions ? tools.instructions(servers.shown) : null,
      ),
      messages: suite.messages,
      tools: tools.offer(servers.shown).tools,
      repetition: run.repetition,
      mode: settings.mode,
      content,
    };
    if (model.replayTask) {
      const asked = { tools: toRecord.tools, sent: model.sent };
      await this.#replay(run, task, model.replayTask(toRecord), asked, watched);
      return;
    }
    // A refused key or spent quota ends the runs of one model, not those of the others.
    const halting = haltingModel(model, (reason) => this.#halt(run.modelSettingsId, reason));
    let environment: TaskEnvironment | null = null;
    let trajectory: Trajectory;
    try {
      environment =
        settings.mode === 'stub'
          ? null
          : await openEnvironment(
              servers.all.flatMap((name) => this.#targets.get(name) ?? []),
              this.#parts,
              signal,
            );
      trajectory = await runTask(
        {
          ...content,
          ...toRecord,
          stubs: this.#stubsOf(task),
          known: tools.offer(servers.all).tools,
          environment,
          judge: this.#parts.judge,
          playedBy: this.#userPlayer(),
        },
        halting,
        signal,
        {
          onStep: (step, { request, response }) => {
            const { usage } = step;
            watched.steps.push(step);
            exchanges.push({
              request: packRequest(request, servers.shown),
              response: JSON.stringify(response),
            });
            this.#parts.requested({ usage, cost: sumOfCosts([usage], price) });
          },
          onUsage: (by, usage) => {
            // Nobody is paid for what the program answers by itself.
            const isFree = by === 'model' && model.provider === 'builtin' && price === null;
            if (!isFree) spend.add(by, usage);
          },
          accountOf: spend.accountOf,
          onSend: journal.write,
        },
      );
    } catch (error) {
      if (signal.aborted || error instanceof SendingHalted || environment !== null) throw error;
      trajectory = notRun(errorText(error));
    } finally {
      await environment?.[Symbol.asyncDispose]();
    }
    // What broke before anything was called says nothing about the model. A replay of calls that a
    // server did not answer is not scored, as the run was.
    const { end, steps } = trajectory;
    if (end.by !== 'infrastructure' || steps.some(({ calls }) => calls.length > 0))
      await model.recordTask?.(toRecord, { trajectory, exchanges, checks: content.checks });
    await this.#judge(run, task, { trajectory, exchanges }, watched);
  }

  /** What plays simulated users: without it, no task with one could be scored. */
  #userPlayer(): { model: ChatModel; label: string } | undefined {
    const { userModel } = this.#parts.second;
    const { userModel: configuration } = this.#evaluation.settings;
    if (userModel === null || configuration === null) return undefined;
    const label = modelLabel(configuration);
    return {
      label,
      model: haltingModel(userModel, (reason) =>
        this.#stop(`The simulated user (${label}): ${reason}`),
      ),
    };
  }

  /** Judges a run by its checks and, where they ask for one, by a second model. */
  async #judge(
    run: WaitingTaskRun,
    task: FrozenTask,
    ended: { trajectory: Trajectory; exchanges: readonly Exchange[] },
    { spend, signal }: Watched,
  ): Promise<void> {
    const played = { ...ended, spend };
    const { judge, second } = this.#parts;
    const { judgeModel } = second;
    const { checks } = task.content;
    const { trajectory } = played;
    const failure = failureOf(trajectory.end);
    const ruled = await judge.judge(checks, trajectory);
    if (judgeModel === null || !checks.some(({ kind }) => kind === 'judge')) {
      this.#finish(run, task, failure, played, ruled);
      return;
    }
    const { judgements, usages } = await askJudge(
      judgeModel,
      task.content,
      trajectory,
      run.repetition,
      signal,
      { onUsage: spend.add, accountOf: spend.accountOf },
    );
    const terms = this.#evaluation.settings.judgeTerms;
    const verdict = withJudgements(ruled, trajectory, judgements, terms?.counts ?? false);
    this.#finish(run, task, failure, played, verdict, sumOfCosts(usages, terms?.price));
  }

  /** The stubs of a task, and in a what-if that executes nothing, results of its base. */
  #stubsOf({ content, position }: FrozenTask): readonly TaskStub[] {
    const { mode, whatIf } = this.#evaluation.settings;
    if (mode !== 'stub' || whatIf === null) return content.stubs;
    this.#recorded ??= recordedStubs(this.#parts.store, whatIf.baseId);
    return [...content.stubs, ...(this.#recorded.get(position) ?? [])];
  }

  /** Judges a recorded run by the checks of today. */
  async #replay(
    run: WaitingTaskRun,
    task: FrozenTask,
    recorded: RecordedRun | null,
    asked: AskedWith,
    watched: Watched,
  ): Promise<void> {
    if (recorded === null) {
      this.#finish(run, task, 'model', {
        trajectory: notRun(
          'The recording has no such run: a tool, the task, or a setting changed since.',
        ),
        exchanges: [],
      });
      return;
    }
    const trajectory = trajectoryFor(recorded, task.content.checks, asked);
    await this.#judge(run, task, { trajectory, exchanges: recorded.exchanges }, watched);
  }

  /** Hands a run to the group commit. */
  #finish(
    run: WaitingTaskRun,
    { content }: FrozenTask,
    failure: TaskFailure | null,
    {
      trajectory,
      exchanges,
      spend,
    }: { trajectory: Trajectory; exchanges: readonly Exchange[]; spend?: RunSpend },
    verdict: TaskVerdict | null = null,
    judgeCost?: number | null,
  ): void {
    const facts = runFacts(content, trajectory, {
      effects: this.#effects,
      price: this.#prices.get(run.modelSettingsId) ?? null,
      userPrice: this.#evaluation.settings.userPrice,
      judgeCost,
      spend: spend?.facts ?? { usd: 0, unanswered: 0 },
    });
    const unscored = whyUnscored(verdict, failure);
    this.#group.finish({ run, failure: unscored, trajectory, exchanges, verdict, facts });
  }

  /** Why a run can't be scored whatever the model does. */
  #obstacle(
    { content }: FrozenTask,
    servers: readonly string[],
    snapshot: ToolSnapshot,
    known: Parameters<typeof modeObstacle>[2],
  ): { failure: TaskFailure; message: string } | null {
    for (const name of servers) {
      const listing = snapshot.servers.find(({ server }) => server === name);
      if (listing?.status !== 'listed')
        return {
          failure: 'server',
          message: `Server ${name}: ${listing?.error ?? 'It listed no tools.'}`,
        };
    }
    const message = modeObstacle(content, this.#evaluation.settings.mode, known);
    return message === null ? null : { failure: 'mode', message };
  }

  #halt(modelSettingsId: string, reason: string): void {
    if (!this.#halted.halt(modelSettingsId, reason)) return;
    if (this.#halted.size >= new Set(this.#evaluation.modelSettingsIds).size)
      this.#stop(this.#halted.reasons);
  }

  /** Starts no further run, and sends nothing more for those in progress. */
  #stop(reason: string, disk = false): void {
    if (this.#stopped === null || disk) this.#stopped = { reason, disk };
    this.#halted.haltAll(reason);
  }
}
