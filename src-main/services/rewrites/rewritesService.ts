import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Rewrite } from '../../../src-shared/domain/rewrite.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import {
  changesOfEdits,
  essentialEdits,
  textAt,
  type TextEdit,
} from '../../../src-shared/domain/textEdit.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { RewriteStep } from '../../store/evaluations/rewrites.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { reviseDescription } from '../similarity/askModel.ts';
import { openSignalsIn, type ExamineTools } from '../similarity/openSignals.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { decidedHalf, type Trial, type TrialRepeat, type TrialTarget } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';
import { checkEdits } from './checkEdits.ts';
import { busy, conflict } from './conflicts.ts';
import { judgeRewrite, settleRewrite } from './judgeRewrite.ts';
import { patchFile } from './patchFile.ts';
import { findSources, sourceFolder } from './sourcePlaces.ts';
import { readToolProblem } from './toolProblem.ts';

export interface RewritesParts {
  store: Store;
  tokens: TokenCounts;
  openChatModel: OpenChatModel;
  examine: ExamineTools;
  trials: Pick<Trials, 'open'>;
}

/** A tool of an evaluation, whose texts are to be changed. */
interface Target extends TrialTarget {
  toolId: string;
}

/** Evaluations among which the latest one of a tool is looked for. */
const maxLookedAt = 100;

/**
 * Candidates for better texts of tools, tried on the cases or the tasks of an evaluation. They are
 * split by hash: candidates may be searched for on one half as often as wanted, and are proved on
 * the other half once.
 */
export class RewritesService implements ServiceFor<'rewrites'> {
  readonly #parts: RewritesParts;

  constructor(parts: RewritesParts) {
    this.#parts = parts;
  }

  async list({ evaluationId }: Input<'rewrites', 'list'>): Promise<Output<'rewrites', 'list'>> {
    const { rewrites } = this.#parts.store;
    return rewrites.list(evaluationId).map((rewrite) => judgeRewrite(this.#parts, rewrite));
  }

  /** Keeps the results of evaluations that ended, and frees what a program that is gone had begun. */
  recover(): void {
    const { rewrites } = this.#parts.store;
    rewrites.releaseAll();
    for (const rewrite of rewrites.underWay()) settleRewrite(this.#parts, rewrite);
  }

  /** Keeps what an evaluation says about candidates. Call it when one has ended. */
  settle(evaluationId: string): void {
    for (const rewrite of this.#parts.store.rewrites.waitingFor(evaluationId))
      settleRewrite(this.#parts, rewrite);
  }

  async latestEvaluation({
    toolId,
  }: Input<'rewrites', 'latestEvaluation'>): Promise<Output<'rewrites', 'latestEvaluation'>> {
    const { evaluations, resultQueries } = this.#parts.store;
    const found = evaluations
      .listOriginals(maxLookedAt)
      .find(
        ({ state, snapshotId, settings }) =>
          hasEnded(state) &&
          settings.whatIf === null &&
          snapshotId !== null &&
          resultQueries
            .toolHashes(snapshotId)
            .some(({ server, name }) => idOf(server, name) === toolId),
      );
    return { evaluationId: found?.id ?? null };
  }

  async problem(
    { rewriteId, ...target }: Input<'rewrites', 'problem'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'problem'>> {
    const { trial, tool } = this.#open(target);
    const rewrite = rewriteId === null ? null : this.#get(rewriteId);
    const read = (signals: ReadonlySet<string>) =>
      readToolProblem(this.#parts.store, trial, tool, target.toolId, rewrite, signals);
    const found = read(new Set());
    const concerned = new Set(found.advice.flatMap(({ toolIds }) => toolIds));
    if (concerned.size === 0) return found;
    const tools = trial.tools.filter(({ server, name }) => concerned.has(idOf(server, name)));
    return read(openSignalsIn(await this.#parts.examine(tools, signal)));
  }

  async check(
    { edits, ...target }: Input<'rewrites', 'check'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'check'>> {
    const { store, tokens, examine } = this.#parts;
    const { trial } = this.#open(target);
    const { advice } = await this.problem({ ...target, rewriteId: null }, { signal });
    return checkEdits(
      {
        tokens,
        examine,
        settings: store.settings.get(),
        raw: (hash) => store.toolSnapshots.raw(hash),
      },
      {
        toolId: target.toolId,
        tools: trial.tools,
        edits: essentialEdits(edits),
        advice,
        requests: trial.half('search').map(({ query }) => query),
      },
      signal,
    );
  }

  /** Throws INVALID for edits without effect, and CONFLICT for those of another candidate. */
  async add({
    edits: given,
    source,
    ...target
  }: Input<'rewrites', 'add'>): Promise<Output<'rewrites', 'add'>> {
    const { store } = this.#parts;
    const { unit, evaluationId, number, proofKeys, model, tools } = this.#open(target).trial;
    const edits = essentialEdits(given);
    if (edits.length === 0)
      throw new ServiceError('INVALID', {
        thing: `The edit of ${target.toolId}`,
        cause: 'It changes nothing.',
        nextStep: 'Change a text.',
        field: 'edits',
      });
    checkOldTexts(tools, edits);
    if (unit === 'task' && edits.some(({ path }) => path === '/name'))
      throw new ServiceError('INVALID', {
        thing: `The edit of ${target.toolId}`,
        cause: 'It changes the name, but servers execute a tool by its name.',
        nextStep: 'Try another name on test cases.',
        field: 'edits',
      });
    const same = store.rewrites
      .list(evaluationId)
      .find(
        (one) =>
          one.modelSettingsId === model.id && JSON.stringify(one.edits) === JSON.stringify(edits),
      );
    if (same)
      throw new ServiceError('CONFLICT', {
        thing: `The edit of ${target.toolId}`,
        cause: `${same.name} has the same texts.`,
        nextStep: `Open ${same.name}, or change a text.`,
      });
    return store.rewrites.insert({
      suite: proofKeys[0],
      unit,
      baseEvaluationId: evaluationId,
      baseNumber: number,
      modelSettingsId: model.id,
      modelName: modelLabel(model),
      toolId: target.toolId,
      source,
      edits,
    });
  }

  async rename({ id, name }: Input<'rewrites', 'rename'>): Promise<Output<'rewrites', 'rename'>> {
    this.#get(id);
    this.#parts.store.rewrites.rename(id, name);
    return this.#get(id);
  }

  /** Throws CONFLICT while its runs are under way. */
  async remove({ id }: Input<'rewrites', 'remove'>): Promise<Output<'rewrites', 'remove'>> {
    const rewrite = this.#get(id);
    if (rewrite.state === 'searching' || rewrite.state === 'proving')
      throw conflict(rewrite, 'Its runs are under way.', 'Wait for them, or cancel them.');
    this.#parts.store.rewrites.setDeleted(id, true);
    return { id };
  }

  async restore({ id }: Input<'rewrites', 'restore'>): Promise<Output<'rewrites', 'restore'>> {
    this.#parts.store.rewrites.setDeleted(id, false);
    return this.#get(id);
  }

  /** Tries a candidate on the search half; may be repeated. */
  async search({
    id,
    agreedServers,
    spendLimitUsd,
  }: Input<'rewrites', 'search'>): Promise<Output<'rewrites', 'search'>> {
    return this.#begin(id, 'search', { agreedServers, spendLimitUsd });
  }

  /**
   * Tries a candidate on the proof half, once: a second look would make its p-value meaningless.
   */
  async prove({
    id,
    agreedServers,
  }: Input<'rewrites', 'prove'>): Promise<Output<'rewrites', 'prove'>> {
    return this.#begin(id, 'proof', { agreedServers });
  }

  /** Asks a model for a description, with the tool it is confused with most as contrast. */
  async propose(
    { model: configuration, ...target }: Input<'rewrites', 'propose'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'propose'>> {
    const { trial, tool } = this.#open(target);
    const { tools } = trial;
    const counts = new Map<string, number>();
    // The search half alone: what is written for a request can't be proved by it.
    const failures = trial.scores(trial.half('search')).flatMap((score) => score.failures);
    for (const { expected, called } of failures) {
      const other =
        expected === target.toolId ? called : called === target.toolId ? expected : null;
      if (other !== null && other !== target.toolId)
        counts.set(other, (counts.get(other) ?? 0) + 1);
    }
    const ranked = tools
      .filter((rewrite) => rewrite !== tool)
      .sort(
        (a, b) =>
          (counts.get(idOf(b.server, b.name)) ?? 0) - (counts.get(idOf(a.server, a.name)) ?? 0),
      );
    const [confusedWith] = ranked;
    if (!confusedWith)
      throw new ServiceError('INVALID', {
        thing: target.toolId,
        cause: 'It is the only tool in the evaluation.',
        nextStep: 'Choose an evaluation with more tools.',
      });
    return {
      description: await reviseDescription(
        this.#parts.openChatModel,
        configuration,
        { tool, confusedWith },
        signal,
      ),
    };
  }

  async export(
    { id, format }: Input<'rewrites', 'export'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'export'>> {
    const rewrite = this.#get(id);
    const { tools } = this.#trialOf(rewrite);
    const found =
      format === 'json_patch' || format === 'tools_file'
        ? { places: [], unread: [] }
        : await this.sources({ id }, { signal });
    return patchFile({ rewrite, tools, ...found }, format);
  }

  async sources(
    { id }: Input<'rewrites', 'sources'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'sources'>> {
    const { edits, toolId } = this.#get(id);
    const server = this.#parts.store.servers.getByName(splitToolId(toolId).server);
    const folder = server === null ? null : await sourceFolder(server.config);
    return {
      folder,
      ...(folder === null ? { places: [], unread: [] } : await findSources(folder, edits, signal)),
    };
  }

  /**
   * Repeats one half with the candidate's texts. The step is claimed before anything waits, so that
   * of two starts one is refused; the evaluation and the rank of a proof are noted in the commit of
   * the plan.
   */
  async #begin(
    id: string,
    step: RewriteStep,
    options: Pick<TrialRepeat, 'agreedServers' | 'spendLimitUsd'>,
  ): Promise<Rewrite> {
    const { rewrites } = this.#parts.store;
    const before = this.#settled(id);
    const trial = this.#trialOf(before);
    const { tools, proofKeys } = trial;
    if (!rewrites.claim(id, step)) throw busy(trial, this.#get(id));
    try {
      const items = decidedHalf(trial, step).map(({ item }) => item);
      if (items.length === 0)
        throw conflict(
          before,
          `No scored ${trial.unit} of evaluation #${trial.number} belongs to the ${step} half.`,
          `Add ${trial.unit}s to the suite and run it again.`,
        );
      trial.requireConsent(options.agreedServers);
      await trial.repeat(
        { changes: changesOfEdits(tools, before.edits), items, ...options },
        (evaluationId) =>
          step === 'proof'
            ? rewrites.startProof(id, evaluationId, proofKeys)
            : rewrites.startSearch(id, evaluationId),
      );
    } catch (error) {
      rewrites.release(before);
      throw error;
    }
    return this.#get(id);
  }

  /** Throws CONFLICT while the evaluation runs, and NOT_FOUND where it doesn't offer the tool. */
  #open({ toolId, ...target }: Target): { trial: Trial; tool: SnapshotTool } {
    const trial = this.#parts.trials.open(target);
    const tool = trial.tools.find(({ server, name }) => idOf(server, name) === toolId);
    if (tool) return { trial, tool };
    throw new ServiceError('NOT_FOUND', {
      thing: `Tool ${toolId}`,
      cause: `${trial.name} doesn’t offer this tool.`,
      nextStep: 'Choose one of the tools that it offers.',
      field: 'toolId',
    });
  }

  #trialOf({ baseEvaluationId, modelSettingsId }: Rewrite): Trial {
    return this.#parts.trials.open({ evaluationId: baseEvaluationId, modelSettingsId });
  }

  #get(id: string): Rewrite {
    return judgeRewrite(this.#parts, this.#find(id));
  }

  /** As `#get`, and keeps what an ended evaluation says, so that the next step can begin. */
  #settled(id: string): Rewrite {
    return settleRewrite(this.#parts, this.#find(id));
  }

  #find(id: string): Rewrite {
    const rewrite = this.#parts.store.rewrites.get(id);
    if (rewrite) return rewrite;
    throw new ServiceError('NOT_FOUND', {
      thing: `Rewrite ${id}`,
      cause: "It doesn't exist.",
      nextStep: 'Choose one from the list of rewrites.',
    });
  }
}

/** Throws CONFLICT where a text is not what the edit was made for. */
function checkOldTexts(tools: readonly SnapshotTool[], edits: readonly TextEdit[]): void {
  for (const { toolId, path, oldText } of edits) {
    const tool = tools.find(({ server, name }) => idOf(server, name) === toolId);
    if (tool === undefined || textAt(tool, path) !== oldText)
      throw new ServiceError('CONFLICT', {
        thing: `The edit of ${toolId}`,
        cause: 'The tool of this evaluation has another text there.',
        nextStep: 'Reload the page and make the change again.',
      });
  }
}
