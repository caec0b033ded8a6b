import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { splitToolId, toolId as idOf } from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import {
  changesOfEdits,
  essentialEdits,
  textAt,
  type TextEdit,
} from '../../../src-shared/domain/textEdit.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { CandidateStep } from '../../store/evaluations/candidates.ts';
import type { Store } from '../../store/store.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { reviseDescription } from '../similarity/askModel.ts';
import { openSignalsIn, type ExamineTools } from '../similarity/openSignals.ts';
import type { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { decidedHalf, type Trial, type TrialRepeat, type TrialTarget } from '../trials/trial.ts';
import type { Trials } from '../trials/trials.ts';
import { checkEdits } from './checkEdits.ts';
import { busy, conflict } from './conflicts.ts';
import { judgeCandidate, settleCandidate } from './judgeCandidate.ts';
import { patchFile } from './patchFile.ts';
import { findSources, sourceFolder } from './sourcePlaces.ts';
import { readToolProblem } from './toolProblem.ts';

export interface CandidatesParts {
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
export class CandidatesService implements ServiceFor<'candidates'> {
  readonly #parts: CandidatesParts;

  constructor(parts: CandidatesParts) {
    this.#parts = parts;
  }

  async list({ evaluationId }: Input<'candidates', 'list'>): Promise<Output<'candidates', 'list'>> {
    const { candidates } = this.#parts.store;
    return candidates.list(evaluationId).map((candidate) => judgeCandidate(this.#parts, candidate));
  }

  /** Keeps the results of evaluations that ended, and frees what a program that is gone had begun. */
  recover(): void {
    const { candidates } = this.#parts.store;
    candidates.releaseAll();
    for (const candidate of candidates.underWay()) settleCandidate(this.#parts, candidate);
  }

  /** Keeps what an evaluation says about candidates. Call it when one has ended. */
  settle(evaluationId: string): void {
    for (const candidate of this.#parts.store.candidates.waitingFor(evaluationId))
      settleCandidate(this.#parts, candidate);
  }

  async latestEvaluation({
    toolId,
  }: Input<'candidates', 'latestEvaluation'>): Promise<Output<'candidates', 'latestEvaluation'>> {
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
    { candidateId, ...target }: Input<'candidates', 'problem'>,
    { signal }: CallOptions,
  ): Promise<Output<'candidates', 'problem'>> {
    const { trial, tool } = this.#open(target);
    const candidate = candidateId === null ? null : this.#get(candidateId);
    const read = (signals: ReadonlySet<string>) =>
      readToolProblem(this.#parts.store, trial, tool, target.toolId, candidate, signals);
    const found = read(new Set());
    const concerned = new Set(found.advice.flatMap(({ toolIds }) => toolIds));
    if (concerned.size === 0) return found;
    const tools = trial.tools.filter(({ server, name }) => concerned.has(idOf(server, name)));
    return read(openSignalsIn(await this.#parts.examine(tools, signal)));
  }

  async check(
    { edits, ...target }: Input<'candidates', 'check'>,
    { signal }: CallOptions,
  ): Promise<Output<'candidates', 'check'>> {
    const { store, tokens, examine } = this.#parts;
    const { trial } = this.#open(target);
    const { advice } = await this.problem({ ...target, candidateId: null }, { signal });
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
  }: Input<'candidates', 'add'>): Promise<Output<'candidates', 'add'>> {
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
    const same = store.candidates
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
    return store.candidates.insert({
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

  async rename({
    id,
    name,
  }: Input<'candidates', 'rename'>): Promise<Output<'candidates', 'rename'>> {
    this.#get(id);
    this.#parts.store.candidates.rename(id, name);
    return this.#get(id);
  }

  /** Throws CONFLICT while its runs are under way. */
  async remove({ id }: Input<'candidates', 'remove'>): Promise<Output<'candidates', 'remove'>> {
    const candidate = this.#get(id);
    if (candidate.state === 'searching' || candidate.state === 'proving')
      throw conflict(candidate, 'Its runs are under way.', 'Wait for them, or cancel them.');
    this.#parts.store.candidates.setDeleted(id, true);
    return { id };
  }

  async restore({ id }: Input<'candidates', 'restore'>): Promise<Output<'candidates', 'restore'>> {
    this.#parts.store.candidates.setDeleted(id, false);
    return this.#get(id);
  }

  /** Tries a candidate on the search half; may be repeated. */
  async search({
    id,
    agreedServers,
    spendLimitUsd,
  }: Input<'candidates', 'search'>): Promise<Output<'candidates', 'search'>> {
    return this.#begin(id, 'search', { agreedServers, spendLimitUsd });
  }

  /**
   * Tries a candidate on the proof half, once: a second look would make its p-value meaningless.
   */
  async prove({
    id,
    agreedServers,
  }: Input<'candidates', 'prove'>): Promise<Output<'candidates', 'prove'>> {
    return this.#begin(id, 'proof', { agreedServers });
  }

  /** Asks a model for a description, with the tool it is confused with most as contrast. */
  async propose(
    { model: configuration, ...target }: Input<'candidates', 'propose'>,
    { signal }: CallOptions,
  ): Promise<Output<'candidates', 'propose'>> {
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
      .filter((candidate) => candidate !== tool)
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
    { id, format }: Input<'candidates', 'export'>,
    { signal }: CallOptions,
  ): Promise<Output<'candidates', 'export'>> {
    const candidate = this.#get(id);
    const { tools } = this.#trialOf(candidate);
    const found =
      format === 'json_patch' || format === 'tools_file'
        ? { places: [], unread: [] }
        : await this.sources({ id }, { signal });
    return patchFile({ candidate, tools, ...found }, format);
  }

  async sources(
    { id }: Input<'candidates', 'sources'>,
    { signal }: CallOptions,
  ): Promise<Output<'candidates', 'sources'>> {
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
    step: CandidateStep,
    options: Pick<TrialRepeat, 'agreedServers' | 'spendLimitUsd'>,
  ): Promise<Candidate> {
    const { candidates } = this.#parts.store;
    const before = this.#settled(id);
    const trial = this.#trialOf(before);
    const { tools, proofKeys } = trial;
    if (!candidates.claim(id, step)) throw busy(trial, this.#get(id));
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
            ? candidates.startProof(id, evaluationId, proofKeys)
            : candidates.startSearch(id, evaluationId),
      );
    } catch (error) {
      candidates.release(before);
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

  #trialOf({ baseEvaluationId, modelSettingsId }: Candidate): Trial {
    return this.#parts.trials.open({ evaluationId: baseEvaluationId, modelSettingsId });
  }

  #get(id: string): Candidate {
    return judgeCandidate(this.#parts, this.#find(id));
  }

  /** As `#get`, and keeps what an ended evaluation says, so that the next step can begin. */
  #settled(id: string): Candidate {
    return settleCandidate(this.#parts, this.#find(id));
  }

  #find(id: string): Candidate {
    const candidate = this.#parts.store.candidates.get(id);
    if (candidate) return candidate;
    throw new ServiceError('NOT_FOUND', {
      thing: `Candidate ${id}`,
      cause: "It doesn't exist.",
      nextStep: 'Choose one from the list of candidates.',
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
