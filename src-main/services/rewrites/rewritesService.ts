import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Rewrite } from '../../../src-shared/domain/rewrite.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { isCorrectUnit, toolId as idOf, toolsOfLabel } from '../../../src-shared/domain/labels.ts';
import { flipsNeeded, proofLevel } from '../../../src-shared/metrics/rewriteProof.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import type { WhatIfRequest } from '../evaluations/whatIf/whatIfSources.ts';
import { loadSide } from '../results/comparedSide.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { reviseDescription } from '../similarity/askModel.ts';
import { readHalf } from './pairHalf.ts';
import { rewriteFile } from './rewriteFile.ts';
import { settleRewrite } from './settleRewrite.ts';

export interface RewritesParts {
  store: Store;
  openChatModel: OpenChatModel;
  /** Repeats some frozen cases of an evaluation with changed tools. */
  repeat: (evaluationId: string, request: WhatIfRequest) => Promise<Evaluation>;
}

interface Target {
  evaluationId: string;
  modelSettingsId: string | null;
  toolId: string;
}

/**
 * Candidate descriptions of tools, tried on the cases of an evaluation. The cases are split by
 * hash: candidates may be searched for on one half as often as wanted, and are proved on the other
 * half once.
 */
export class RewritesService implements ServiceFor<'rewrites'> {
  readonly #parts: RewritesParts;

  constructor(parts: RewritesParts) {
    this.#parts = parts;
  }

  async list({ evaluationId }: Input<'rewrites', 'list'>): Promise<Output<'rewrites', 'list'>> {
    return this.#parts.store.rewrites
      .list(evaluationId)
      .map((rewrite) => settleRewrite(this.#parts.store, rewrite));
  }

  /** How many cases a proof would have, and whether they are enough to decide. */
  async plan(target: Input<'rewrites', 'plan'>): Promise<Output<'rewrites', 'plan'>> {
    const { store } = this.#parts;
    const { evaluation, model, tool } = this.#open(target);
    const proof = readHalf(store, evaluation, model.id, 'proof');
    const proved = store.rewrites.proved(suiteOf(evaluation));
    const canFlip = proof.filter(
      ({ wrong, toolLabels }) => wrong && toolLabels.has(target.toolId),
    ).length;
    const needed = flipsNeeded(proved + 1);
    return {
      toolId: target.toolId,
      description: tool.description,
      searchCases: readHalf(store, evaluation, model.id, 'search').length,
      proofCases: proof.length,
      proved,
      level: proofLevel(proved + 1),
      flipsNeeded: needed,
      canFlip,
      // About half of new cases fall into the proof half.
      moreCases: 2 * Math.max(0, needed - canFlip),
    };
  }

  /** Adds a candidate description. Throws INVALID when it equals the current one. */
  async add({
    description,
    source,
    ...target
  }: Input<'rewrites', 'add'>): Promise<Output<'rewrites', 'add'>> {
    const { evaluation, model, tool } = this.#open(target);
    if (description === tool.description)
      throw new ServiceError('INVALID', {
        thing: `The rewrite of ${target.toolId}`,
        cause: "It is the tool's current description.",
        nextStep: 'Change it.',
        field: 'description',
      });
    return this.#parts.store.rewrites.insert({
      suite: suiteOf(evaluation),
      baseEvaluationId: evaluation.id,
      baseNumber: evaluation.number,
      modelSettingsId: model.id,
      modelName: modelLabel(model),
      toolId: target.toolId,
      source,
      descriptionBefore: tool.description,
      description,
    });
  }

  /** Tries a candidate on the search half; may be repeated. */
  async search({ id }: Input<'rewrites', 'search'>): Promise<Output<'rewrites', 'search'>> {
    const rewrite = this.#get(id);
    if (rewrite.state !== 'draft' && rewrite.state !== 'searched')
      throw conflict(
        rewrite,
        rewrite.state === 'searching' ? 'Its search is under way.' : 'Its proof has begun.',
        'Wait for it, or add another candidate.',
      );
    const started = await this.#repeat(rewrite, 'search');
    this.#parts.store.rewrites.startSearch(id, started.id);
    return this.#get(id);
  }

  /**
   * Tries a candidate on the proof half, once: a second look would make its p-value meaningless.
   */
  async prove({ id }: Input<'rewrites', 'prove'>): Promise<Output<'rewrites', 'prove'>> {
    const rewrite = this.#get(id);
    if (rewrite.proofEvaluationId !== null)
      throw conflict(
        rewrite,
        'It was already verified, and each rewrite can be verified once.',
        'Add another candidate.',
      );
    if (rewrite.state === 'searching')
      throw conflict(rewrite, 'Its search is under way.', 'Wait for it.');
    const started = await this.#repeat(rewrite, 'proof');
    this.#parts.store.rewrites.startProof(id, started.id);
    return this.#get(id);
  }

  /** Asks a model for a description, with the tool it is confused with most as contrast. */
  async propose(
    { model: configuration, ...target }: Input<'rewrites', 'propose'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'propose'>> {
    const { evaluation, model, tool, tools } = this.#open(target);
    const counts = new Map<string, number>();
    for (const { expected, selected } of this.#parts.store.toolConfusions.units(
      evaluation.id,
      model.id,
    )) {
      if (isCorrectUnit({ expected, selected })) continue;
      const others = toolsOfLabel(expected).includes(target.toolId)
        ? [selected]
        : selected === target.toolId
          ? toolsOfLabel(expected)
          : [];
      for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1);
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

  async export({ id }: Input<'rewrites', 'export'>): Promise<Output<'rewrites', 'export'>> {
    return rewriteFile(this.#get(id));
  }

  /** Repeats the cases of one half with the candidate's description. */
  async #repeat(rewrite: Rewrite, half: 'search' | 'proof'): Promise<Evaluation> {
    const { store, repeat } = this.#parts;
    const { evaluation, model } = this.#open({
      evaluationId: rewrite.baseEvaluationId,
      modelSettingsId: rewrite.modelSettingsId,
      toolId: rewrite.toolId,
    });
    const positions = readHalf(store, evaluation, model.id, half)
      .map(({ position }) => position)
      .sort((a, b) => a - b);
    if (positions.length === 0)
      throw conflict(
        rewrite,
        `No scored case of evaluation #${evaluation.number} belongs to the ${half} half.`,
        'Add cases to the suite and run it again.',
      );
    return repeat(evaluation.id, {
      changes: [{ kind: 'override', toolId: rewrite.toolId, description: rewrite.description }],
      modelSettingsId: model.id,
      positions,
      repetitions: evaluation.settings.repetitions,
    });
  }

  /**
   * Loads the evaluation, model and tool of a candidate. Throws CONFLICT while the evaluation runs.
   */
  #open({ evaluationId, modelSettingsId, toolId }: Target): {
    evaluation: EvaluationRow;
    model: ReturnType<typeof loadSide>['model'];
    tool: AnalysedTool;
    tools: AnalysedTool[];
  } {
    const { store } = this.#parts;
    const { evaluation, model } = loadSide(store, { id: evaluationId, modelSettingsId });
    if (!hasEnded(evaluation.state))
      throw new ServiceError('CONFLICT', {
        thing: `Evaluation #${evaluation.number}`,
        cause: 'It is still running.',
        nextStep: 'Wait until it ends.',
      });
    const tools =
      (evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId))
        ?.tools ?? [];
    const tool = tools.find(({ server, name }) => idOf(server, name) === toolId);
    if (!tool)
      throw new ServiceError('NOT_FOUND', {
        thing: `Tool ${toolId}`,
        cause: `Evaluation #${evaluation.number} has none with this ID.`,
        nextStep: 'Choose one of its tools.',
        field: 'toolId',
      });
    return { evaluation, model, tool, tools };
  }

  #get(id: string): Rewrite {
    const rewrite = this.#parts.store.rewrites.get(id);
    if (!rewrite)
      throw new ServiceError('NOT_FOUND', {
        thing: `Rewrite ${id}`,
        cause: "It doesn't exist.",
        nextStep: 'Choose one from the list of rewrites.',
      });
    return settleRewrite(this.#parts.store, rewrite);
  }
}

/** All evaluations of a suite share its proof half. A suite from a file is known by its name. */
const suiteOf = ({ suiteId, suiteName }: EvaluationRow): string => suiteId ?? suiteName;

const conflict = (rewrite: Rewrite, cause: string, nextStep: string): ServiceError =>
  new ServiceError('CONFLICT', { thing: `The rewrite of ${rewrite.toolId}`, cause, nextStep });
