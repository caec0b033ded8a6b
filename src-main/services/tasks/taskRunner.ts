import { errorText } from '../../../src-shared/domain/errorText.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { TokenUsage } from '../../../src-shared/domain/observation.ts';
import type { Price } from '../../../src-shared/domain/price.ts';
import { isByModel } from '../../../src-shared/domain/checkKinds.ts';
import type {
  TaskContent,
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
import type { TaskEvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { WaitingRun } from '../../store/runs/runs.ts';
import type { Exchange } from '../../store/runs/steps.ts';
import { localDate } from '../../../src-shared/domain/runValues.ts';
import { FixtureTrouble } from './fixtures/fixtureTrouble.ts';
import { fixtureObstacle, prepareFolder } from './fixtures/prepareFolder.ts';
import { appendInstructions, FrozenTools } from '../evaluations/tools/offeredTools.ts';
import { packRequest } from '../evaluations/read/rawRequest.ts';
import { RunLoop, type LoopParts, type PlayedUnit } from '../runs/runLoop.ts';
import { taskTables } from '../runs/runTables.ts';
import { writeEndedTasks, type EndedTask } from './endedTasks.ts';
import { haltingModel } from './haltingModel.ts';
import { askJudges, type AskedJudge } from './modelJudge.ts';
import { judgePrices } from './judges.ts';
import { modeObstacle } from './modeObstacle.ts';
import { runFacts, sumOfCosts, sumOfKnown } from './runFacts.ts';
import type { SpentBefore } from '../runs/spendMeter.ts';
import { recordTools } from './recordTools.ts';
import { keepsRunsApart } from '../servers/runFolder.ts';
import { RunJournal } from './runJournal.ts';
import { RunSpend } from './runSpend.ts';
import { runTask, type TaskRun } from './runTask.ts';
import { runsSolution, solutionObstacle, SolutionTrouble, solveTask } from './solveTask.ts';
import { cutShort, failureOf, notRun, whyUnscored } from './unscoredEnds.ts';
import { trajectoryFor } from './recordedStates.ts';
import { openEnvironment, type EnvironmentParts, type TaskEnvironment } from './taskEnvironment.ts';
import type { TaskJudge } from './taskJudge.ts';
import { serversOfTask } from './taskSources.ts';
import { unknownTools } from './unknownTools.ts';
import { recordedStubs } from './taskWhatIf.ts';

/** The models beside those under test; null: not asked. */
interface SecondModels {
  /** Asked by judge checks; several decide by majority. */
  judges: readonly AskedJudge[];
  /** Plays simulated users. */
  userModel: ChatModel | null;
}

type WaitingTask = WaitingRun<'task'>;

/** What one request to the model under test used; the cost is null if it isn't known. */
export interface TaskRequestSpend {
  usage: TokenUsage | null;
  cost: number | null;
}

export interface TaskRunnerParts extends EnvironmentParts, LoopParts<TaskEvent> {
  judge: TaskJudge;
  second: SecondModels;
  /** Hears of each request to the model under test when it is answered. */
  requested: (request: TaskRequestSpend) => void;
}

/** What a run is paid from, what aborts it, and as much as was played of it. */
interface Watched {
  spend: RunSpend;
  signal: AbortSignal;
  steps: TrajectoryStep[];
  journal: RunJournal;
}

/**
 * The runs of an evaluation of tasks. A run and its whole trajectory are committed together, so that
 * a program that is killed leaves no half-counted run. What a run did and cost stays with it, also
 * where the evaluation ends early.
 */
export class TaskRunner implements PlayedUnit<WaitingTask, EndedTask> {
  readonly #parts: TaskRunnerParts;
  readonly #evaluation: TaskEvaluationRow;
  readonly #models: ReadonlyMap<string, ChatModel>;
  readonly #prices: ReadonlyMap<string, Price | null>;
  readonly #targets: ReadonlyMap<string, McpTarget>;
  /** What servers say about their tools, by id. */
  #effects: ReadonlyMap<string, ToolEffects> = new Map();
  /** Results of the base of a what-if, read once they are needed. */
  #recorded: ReturnType<typeof recordedStubs> | null = null;
  /** What the reference solution of each task led to, by its position. */
  readonly #solutions = new Map<number, Promise<Trajectory['states']>>();
  readonly others: readonly (ChatModel | null)[];
  readonly loop: RunLoop<WaitingTask, EndedTask, TaskEvent>;

  constructor(
    parts: TaskRunnerParts,
    evaluation: TaskEvaluationRow,
    models: ReadonlyMap<string, ChatModel>,
  ) {
    const { store, second } = parts;
    this.#parts = parts;
    this.#evaluation = evaluation;
    this.#models = models;
    this.#prices = store.evaluations.prices(evaluation.id);
    this.#targets = new Map(
      store.servers.list().map(({ name, config }) => [name, { name, config }]),
    );
    this.others = [...second.judges.map(({ model: judge }) => judge), second.userModel];
    this.loop = new RunLoop({ ...parts, tables: taskTables(store) }, evaluation, models, this);
  }

  waiting(cursor: number, limit: number): WaitingTask[] {
    return this.#parts.store.runs.waiting('task', this.#evaluation.id, cursor, limit);
  }

  async begin(snapshot: ToolSnapshot): Promise<(run: WaitingTask) => Promise<void>> {
    const tools = new FrozenTools(snapshot, () => null, this.#evaluation.settings.client);
    this.#effects = new Map(
      snapshot.tools.map((tool) => [toolId(tool.server, tool.name), effectsOf(tool.annotations)]),
    );
    await recordTools(this.#models.values(), this.#parts.store, snapshot);
    return (run) => this.#process(run, snapshot, tools);
  }

  commit(started: readonly string[], ended: readonly EndedTask[]): void {
    writeEndedTasks(this.#parts, this.#evaluation.id, started, ended);
  }

  spentBefore(evaluationIds: readonly string[]): SpentBefore {
    return this.#parts.store.runs.spent(evaluationIds);
  }

  async #process(run: WaitingTask, snapshot: ToolSnapshot, tools: FrozenTools): Promise<void> {
    const { content } = run;
    const model = this.#models.get(run.modelSettingsId);
    if (!model) throw new Error(`The run ${run.id} has no model.`);
    const { settings, suite } = this.#evaluation;
    const servers = serversOfTask(content, settings, suite.servers);
    const known = tools.listed(servers.all);
    const obstacle = this.#obstacle(content, servers, snapshot, known);
    if (obstacle) {
      this.#finish(run, obstacle.failure, {
        trajectory: notRun(obstacle.message),
        exchanges: [],
      });
      return;
    }
    if (!this.loop.mayBegin()) return;
    this.loop.group.start(run.id);
    const watched: Watched = {
      spend: this.#spendOf(run),
      signal: this.loop.signal,
      steps: [],
      journal: new RunJournal(this.#parts.store, run.id),
    };
    const { spend, steps, journal } = watched;
    try {
      await this.#work(run, { servers, tools, model }, watched);
    } catch (error) {
      const { failure, end } = cutShort(error, this.loop.earlyEnd);
      this.#finish(run, failure, {
        trajectory: { steps, end, states: {} },
        exchanges: journal.exchanges,
        spend,
      });
    } finally {
      this.loop.spend.end(spend.usd, spend.usd);
    }
  }

  /** Counts what a run costs. Only a limit needs to know after a kill what was spent. */
  #spendOf({ id, modelSettingsId }: WaitingTask): RunSpend {
    const { spendLimitUsd, userPrice, judgeTerms } = this.#evaluation.settings;
    return new RunSpend(
      {
        model: this.#prices.get(modelSettingsId) ?? null,
        user: userPrice,
        judge: judgePrices(judgeTerms),
      },
      // A run that is being judged needs its model no more.
      (by) => (by === 'judge' ? this.loop.halted.all : this.loop.halted.signalOf(modelSettingsId)),
      (usd) => {
        if (spendLimitUsd !== null) this.#parts.store.runs.addSpent(id, usd);
        this.loop.spend.add(usd);
        // What runs in progress still need was allowed for, but not beyond the limit.
        if (this.loop.spend.isReached) this.loop.halted.haltAll(this.loop.spend.refusal);
      },
    );
  }

  /** Plays one run with servers of its own and judges it. */
  async #work(
    run: WaitingTask,
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
    const { content } = run;
    const offered = tools.offer(servers.shown);
    const toRecord: TaskToRecord = {
      system: appendInstructions(
        suite.system,
        settings.serverInstructions ? tools.instructions(servers.shown) : null,
      ),
      messages: suite.messages,
      tools: offered.shown,
      repetition: run.repetition,
      mode: settings.mode,
      content,
    };
    if (model.replayTask) {
      const asked = { tools: toRecord.tools, sent: model.sent };
      await this.#replay(run, model.replayTask(toRecord), asked, watched);
      return;
    }
    // A refused key or spent quota ends the runs of one model, not those of the others.
    const halting = haltingModel(model, (reason) => this.loop.halt(run.modelSettingsId, reason));
    let environment: TaskEnvironment | null = null;
    let trajectory: Trajectory;
    const known = tools.listed(servers.all);
    const prepare = this.#prepareFor(content, signal);
    let solved: Trajectory['states'];
    try {
      solved = await this.#solved(run, servers.all, known, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = error instanceof FixtureTrouble ? 'setup' : 'environment';
      this.#finish(run, error instanceof SolutionTrouble ? 'check' : failure, {
        trajectory: notRun(`The reference solution: ${errorText(error)}`),
        exchanges,
      });
      return;
    }
    try {
      environment =
        settings.mode === 'stub'
          ? null
          : await openEnvironment(
              servers.all.flatMap((name) => this.#targets.get(name) ?? []),
              this.#parts,
              signal,
              prepare,
            );
      trajectory = await runTask(
        {
          ...content,
          ...toRecord,
          published: offered.tools,
          instructions: tools.ownInstructions(servers.shown),
          stubs: this.#stubsOf(run),
          known,
          solved,
          environment,
          folder: settings.folder,
          today: this.#today(),
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
      trajectory = notRun(
        errorText(error),
        error instanceof FixtureTrouble ? 'setup' : 'environment',
      );
    } finally {
      await environment?.[Symbol.asyncDispose]();
    }
    // What broke before anything was called says nothing about the model. A replay of calls that a
    // server did not answer is not scored, as the run was.
    const { end, steps } = trajectory;
    if (end.by !== 'infrastructure' || steps.some(({ calls }) => calls.length > 0))
      await model.recordTask?.(toRecord, { trajectory, exchanges, checks: content.checks });
    await this.#judge(run, { trajectory, exchanges }, watched);
  }

  /** Whether a server has the same data before each run of a task. */
  readonly #isApart =
    ({ reset = [] }: Pick<TaskContent, 'reset'>) =>
    (server: string): boolean => {
      const target = this.#targets.get(server);
      return (
        target !== undefined &&
        (keepsRunsApart(target.config) || reset.some((step) => step.server === server))
      );
    };

  readonly #today = (): string => localDate(new Date(this.#parts.clock.now()));

  /** Puts what a task starts from into the folder of a run. */
  #prepareFor(content: TaskContent, signal: AbortSignal) {
    const { folder } = this.#evaluation.settings;
    return (runFolder: string) => prepareFolder(content, { folder, runFolder }, signal);
  }

  /**
   * What checks read after the reference solution of a task. It runs once for all runs of the task,
   * on servers of its own, before the first of them asks a model.
   */
  #solved(
    { content, position }: WaitingTask,
    servers: readonly string[],
    known: TaskRun['known'],
    signal: AbortSignal,
  ): Promise<Trajectory['states']> {
    const { mode } = this.#evaluation.settings;
    if (!runsSolution(content, mode, known, this.#isApart(content))) return Promise.resolve({});
    const before = this.#solutions.get(position);
    if (before !== undefined) return before;
    const solving = (async () => {
      const targets = servers.flatMap((name) => this.#targets.get(name) ?? []);
      const prepare = this.#prepareFor(content, signal);
      await using environment = await openEnvironment(targets, this.#parts, signal, prepare);
      // The servers stay open until it has ended.
      return await solveTask(
        content,
        { mode, known, environment, judge: this.#parts.judge, today: this.#today() },
        signal,
      );
    })();
    this.#solutions.set(position, solving);
    return solving;
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
        this.loop.stop(`The simulated user (${label}): ${reason}`),
      ),
    };
  }

  /** Judges a run by its checks and, where they ask for one, by a second model. */
  async #judge(
    run: WaitingTask,
    ended: { trajectory: Trajectory; exchanges: readonly Exchange[] },
    { spend, signal }: Watched,
  ): Promise<void> {
    const played = { ...ended, spend };
    const { judge, second } = this.#parts;
    const { checks } = run.content;
    const { trajectory } = played;
    const failure = failureOf(trajectory.end);
    const ruled = await judge.judge(checks, trajectory);
    if (second.judges.length === 0 || !checks.some(isByModel)) {
      this.#finish(run, failure, played, ruled);
      return;
    }
    const { judgements, usages } = await askJudges(
      second.judges,
      run.content,
      trajectory,
      run.repetition,
      signal,
      { onUsage: spend.add, accountOf: spend.accountOf },
    );
    const terms = this.#evaluation.settings.judgeTerms;
    const verdict = withJudgements(ruled, trajectory, judgements, terms?.counts ?? false);
    const prices = judgePrices(terms);
    const costs = usages.map((used, at) => sumOfCosts(used, prices[at]));
    this.#finish(run, failure, played, verdict, sumOfKnown(costs));
  }

  /** The stubs of a task, and in a what-if that executes nothing, results of its base. */
  #stubsOf({ content, position }: WaitingTask): readonly TaskStub[] {
    const { mode, whatIf } = this.#evaluation.settings;
    if (mode !== 'stub' || whatIf === null) return content.stubs;
    this.#recorded ??= recordedStubs(this.#parts.store, whatIf.baseId);
    return [...content.stubs, ...(this.#recorded.get(position) ?? [])];
  }

  /** Judges a recorded run by the checks of today. */
  async #replay(
    run: WaitingTask,
    recorded: RecordedRun | null,
    asked: AskedWith,
    watched: Watched,
  ): Promise<void> {
    if (recorded === null) {
      this.#finish(run, 'provider', {
        trajectory: notRun(
          'The recording has no such run: a tool, the task, or a setting changed since.',
        ),
        exchanges: [],
      });
      return;
    }
    const trajectory = trajectoryFor(recorded, run.content.checks, asked);
    await this.#judge(run, { trajectory, exchanges: recorded.exchanges }, watched);
  }

  /** Hands a run to the group commit. */
  #finish(
    run: WaitingTask,
    failure: TaskFailure | null,
    {
      trajectory,
      exchanges,
      spend,
    }: { trajectory: Trajectory; exchanges: readonly Exchange[]; spend?: RunSpend },
    verdict: TaskVerdict | null = null,
    judgeCost?: number | null,
  ): void {
    const facts = runFacts(run.content, trajectory, {
      effects: this.#effects,
      price: this.#prices.get(run.modelSettingsId) ?? null,
      userPrice: this.#evaluation.settings.userPrice,
      judgeCost,
      spend: spend?.facts ?? { usd: 0, unanswered: 0 },
    });
    const unscored = whyUnscored(verdict, failure);
    this.loop.group.finish({ run, failure: unscored, trajectory, exchanges, verdict, facts });
  }

  /** Why a run can't be scored whatever the model does. */
  #obstacle(
    content: TaskContent,
    servers: { shown: readonly string[]; all: readonly string[] },
    snapshot: ToolSnapshot,
    known: Parameters<typeof modeObstacle>[2],
  ): { failure: TaskFailure; message: string } | null {
    for (const name of servers.all) {
      const listing = snapshot.servers.find(({ server }) => server === name);
      if (listing?.status !== 'listed')
        return {
          failure: 'server',
          message: `Server ${name}: ${listing?.error ?? 'It listed no tools.'}`,
        };
    }
    const { settings } = this.#evaluation;
    const message =
      modeObstacle(content, settings.mode, known) ??
      solutionObstacle(content, settings.mode, known, this.#isApart(content)) ??
      (settings.mode === 'stub' ? null : fixtureObstacle(content, settings.folder));
    if (message !== null) return { failure: 'mode', message };
    // Measuring the effect of missing tools is the purpose of a what-if.
    if (settings.whatIf !== null) return null;
    const [unknown] = unknownTools(content, servers.shown, (server) =>
      snapshot.tools.filter((tool) => tool.server === server),
    );
    return unknown === undefined ? null : { failure: 'check', message: unknown.message };
  }
}
