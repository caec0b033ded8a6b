import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { alignTrajectories } from '../../scoring/tasks/alignTrajectories.ts';
import { repeatsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import type { CallOptions, ServiceFor } from '../contractTypes.ts';
import type { WireDescriptions } from '../evaluations/read/runDetails.ts';
import { sentToolsOf } from '../evaluations/tools/sentTools.ts';
import { askedAgain } from '../evaluations/whatIf/whatIfSources.ts';
import { noPrices } from '../models/prices.ts';
import type { EvaluationReader } from '../results/read/evaluationReader.ts';
import { RunEngine } from '../runs/runEngine.ts';
import { findTaskRun } from './findTaskRun.ts';
import { keepSolution } from './keepSolution.ts';
import { labelRuns } from './labelRuns.ts';
import { readTaskShard } from './merge/readTaskShard.ts';
import { judgeQuestions } from './modelJudge.ts';
import { planTaskModels } from './planTaskModels.ts';
import { planReading, readState } from './readState.ts';
import { readRunRows, toRunRow } from './readTaskReport.ts';
import { SharedServers } from './sharedServers.ts';
import { TaskJudge } from './taskJudge.ts';
import type { TaskRequestSpend } from './taskRunner.ts';
import { taskUnit, type TaskTypes, type TaskUnitParts } from './taskUnit.ts';
import { readTaskWhatIf, type TaskRepeat } from './taskWhatIf.ts';

type Topic = ServiceFor<'tasks'>;
type Input<Name extends keyof Topic> = Parameters<Topic[Name]>[0];
type Answer<Name extends keyof Topic> = ReturnType<Topic[Name]>;

/** As many runs as a person picks one from. */
const maxOtherRuns = 300;

export interface TaskEvaluationsParts
  extends
    Pick<WireDescriptions, 'mapTools'>,
    Omit<TaskUnitParts, 'judge' | 'shared' | 'requested'> {
  reader: EvaluationReader;
}

/** Evaluations of tasks: what the engine does for both units, and how runs of tasks are read. */
export class TaskEvaluationsService extends RunEngine<TaskTypes> implements ServiceFor<'tasks'> {
  readonly #parts: TaskEvaluationsParts;
  readonly #judge: TaskJudge;
  readonly #shared: SharedServers;
  readonly #heard: Map<string, (request: TaskRequestSpend) => void>;

  constructor(parts: TaskEvaluationsParts) {
    const heard = new Map<string, (request: TaskRequestSpend) => void>();
    const judge = new TaskJudge();
    // One for the program: runs of all evaluations share servers over HTTP.
    const shared = new SharedServers();
    super(
      parts,
      taskUnit({
        ...parts,
        judge,
        shared,
        requested: (id, request) => heard.get(id)?.(request),
      }),
    );
    this.#parts = parts;
    this.#judge = judge;
    this.#shared = shared;
    this.#heard = heard;
    this.onEnd((id) => void heard.delete(id));
  }

  /** Interrupts running evaluations and waits until that is stored and their servers are gone. */
  override async close(): Promise<void> {
    await super.close();
    await this.#judge[Symbol.asyncDispose]();
  }

  /** Hears of every request to a model under test, until the evaluation ends or is interrupted. */
  onRequests(id: string, heard: (request: TaskRequestSpend) => void): void {
    this.#heard.set(id, heard);
  }

  async planReading(input: Input<'planReading'>): Answer<'planReading'> {
    return planReading(this.#parts.store, input);
  }

  readState(input: Input<'readState'>, { signal }: CallOptions): Answer<'readState'> {
    return readState({ ...this.#parts, judge: this.#judge, shared: this.#shared }, input, signal);
  }

  async planWhatIf({ id, ...request }: Input<'planWhatIf'>): Answer<'planWhatIf'> {
    const { store, prices = noPrices, wires } = this.#parts;
    const { sources, plan, set } = readTaskWhatIf(store, this.find(id), toRepeat(request));
    const tools = set.tools.map(({ tool }) => tool);
    return planTaskModels({ store, prices, wires }, sources, plan, tools);
  }

  /** Repeats the tasks of an evaluation with changed tools. Throws as `start` does. */
  async whatIf({ id, ...request }: Input<'whatIf'>): Answer<'whatIf'> {
    return this.repeat(id, toRepeat(request));
  }

  async askAgain({ id, ...again }: Input<'askAgain'>): Answer<'askAgain'> {
    return this.repeat(id, askedAgain(this.#parts.store, 'task', this.find(id), again));
  }

  async shard({ id }: Input<'shard'>): Answer<'shard'> {
    const row = this.find(id);
    const { store, sealKey = null } = this.#parts;
    return row.settings.shard && readTaskShard(store, row, row.settings.shard, sealKey);
  }

  async report({ id }: Input<'report'>): Answer<'report'> {
    const { store, reader, mapTools } = this.#parts;
    const row = this.find(id);
    const report = await reader.read(row, { kind: 'taskReport', evaluationId: row.id });
    const snapshot = row.snapshotId === null ? null : store.toolSnapshots.get(row.snapshotId);
    return {
      ...report,
      sentTools: sentToolsOf(
        snapshot,
        report.evaluation.models,
        mapTools,
        report.evaluation.settings.client,
      ),
    };
  }

  async runs({ id, ...page }: Input<'runs'>): Answer<'runs'> {
    const row = this.find(id);
    return this.#parts.reader.read(row, { kind: 'taskPage', evaluationId: row.id, ...page });
  }

  async run(input: Input<'run'>): Answer<'run'> {
    const { task, run, trajectory } = this.#findRun(input);
    // A succeeded run of the task may say what was expected, so all of its runs are read.
    const { store } = this.#parts;
    const row = readRunRows(store, this.find(input.id), [run.position]).find(
      ({ runId }) => runId === run.id,
    );
    return {
      ...(row ?? toRunRow(run, task, null)),
      content: task.content,
      trajectory,
      repeats: trajectory === null ? [] : repeatsOf(trajectory),
      verdict: run.verdict,
      labels: store.labels.ofRun(run.id),
      judgeQuestions: judgeQuestions(this.find(input.id).settings, task.content, run, trajectory),
    };
  }

  /**
   * Keeps what a person says about judge checks of runs: yes, no, or null to take it back. Throws
   * before any is kept if a run or a check doesn't exist.
   */
  async label({ labels }: Input<'label'>): Answer<'label'> {
    return labelRuns(this.#parts.store, labels);
  }

  keepSolution(input: Input<'keepSolution'>, { signal }: CallOptions): Answer<'keepSolution'> {
    return keepSolution(
      { ...this.#parts, judge: this.#judge, shared: this.#shared },
      input,
      signal,
    );
  }

  async otherRuns(input: Input<'otherRuns'>): Answer<'otherRuns'> {
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

  async align({ run, reference }: Input<'align'>): Answer<'align'> {
    const [own, other] = [this.#findRun(run), this.#findRun(reference)];
    return alignTrajectories(own.trajectory?.steps ?? [], other.trajectory?.steps ?? []);
  }

  async exchanges({ id, runId }: Input<'exchanges'>): Answer<'exchanges'> {
    const { store } = this.#parts;
    const found = store.playedTasks.get(this.find(id).id, runId);
    return found === null ? [] : store.steps.exchanges(runId);
  }

  #findRun(input: Input<'run'>) {
    return findTaskRun(this.#parts.store, input);
  }
}

const toRepeat = ({
  changes,
  modelSettingsId,
  ...settings
}: Omit<Input<'planWhatIf'>, 'id'>): TaskRepeat => ({
  changes,
  modelSettingsId,
  positions: null,
  // A repetition never has the agreement of its base.
  settings: { ...settings, agreedPrograms: settings.agreedPrograms ?? [] },
});
