import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../src-shared/domain/evaluationState.ts';
import {
  isCorrectUnit,
  splitToolId,
  toolId as idOf,
  toolsOfLabel,
} from '../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { Rewrite } from '../../../src-shared/domain/rewrite.ts';
import {
  changesOfEdits,
  essentialEdits,
  textAt,
  type TextEdit,
} from '../../../src-shared/domain/textEdit.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';
import type { WhatIfRequest } from '../evaluations/whatIf/whatIfSources.ts';
import type { CallOptions, Input, Output, ServiceFor } from '../contractTypes.ts';
import { reviseDescription } from '../similarity/askModel.ts';
import { openSignalsIn, type ExamineTools } from '../similarity/openSignals.ts';
import type { TokenCounts } from '../tokens/tokenCounts.ts';
import { checkEdits } from './checkEdits.ts';
import { openTarget, suiteOf, type OpenTarget } from './openTarget.ts';
import { readHalf } from './pairHalf.ts';
import { patchFile } from './patchFile.ts';
import { settleRewrite } from './settleRewrite.ts';
import { findSources, sourceFolder } from './sourcePlaces.ts';
import { readToolProblem } from './toolProblem.ts';

export interface RewritesParts {
  store: Store;
  tokens: TokenCounts;
  openChatModel: OpenChatModel;
  examine: ExamineTools;
  /** Repeats some frozen cases of an evaluation with changed tools. */
  repeat: (evaluationId: string, request: WhatIfRequest) => Promise<Evaluation>;
}

/** Evaluations among which the latest one of a tool is looked for. */
const maxLookedAt = 100;

/**
 * Candidates for better texts of tools, tried on the cases of an evaluation. The cases are split by
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
    const { store, examine } = this.#parts;
    const open = openTarget(store, target);
    const read = (signals: ReadonlySet<string>): Output<'rewrites', 'problem'> =>
      readToolProblem(
        store,
        open,
        target.toolId,
        rewriteId === null ? null : this.#get(rewriteId),
        signals,
      );
    const found = read(new Set());
    const concerned = new Set(found.advice.flatMap(({ toolIds }) => toolIds));
    if (concerned.size === 0) return found;
    const tools = open.tools.filter(({ server, name }) => concerned.has(idOf(server, name)));
    return read(openSignalsIn(await examine(tools, signal)));
  }

  async check(
    { edits, ...target }: Input<'rewrites', 'check'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'check'>> {
    const { store, tokens, examine } = this.#parts;
    const { evaluation, model, tools } = openTarget(store, target);
    const requests = readHalf(store, evaluation, model.id, 'search').flatMap(
      ({ position }) => store.frozenCases.get(evaluation.id, position)?.query ?? [],
    );
    return checkEdits(
      {
        tokens,
        examine,
        threshold: store.settings.get().similarityThreshold,
        raw: (hash) => store.toolSnapshots.raw(hash),
      },
      { toolId: target.toolId, tools, edits: essentialEdits(edits), requests },
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
    const { evaluation, model, tools } = openTarget(store, target);
    const edits = essentialEdits(given);
    if (edits.length === 0)
      throw new ServiceError('INVALID', {
        thing: `The edit of ${target.toolId}`,
        cause: 'It changes nothing.',
        nextStep: 'Change a text.',
        field: 'edits',
      });
    checkOldTexts(tools, edits);
    const same = store.rewrites
      .list(evaluation.id)
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
      suite: suiteOf(evaluation),
      baseEvaluationId: evaluation.id,
      baseNumber: evaluation.number,
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
    const { evaluation, model, tool, tools } = openTarget(this.#parts.store, target);
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

  async export(
    { id, format }: Input<'rewrites', 'export'>,
    { signal }: CallOptions,
  ): Promise<Output<'rewrites', 'export'>> {
    const rewrite = this.#get(id);
    const { tools } = this.#targetOf(rewrite);
    const { places } =
      format === 'json_patch' || format === 'tools_file'
        ? { places: [] }
        : await this.sources({ id }, { signal });
    return patchFile({ rewrite, tools, places }, format);
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
      places: folder === null ? [] : await findSources(folder, edits, signal),
    };
  }

  /** Repeats the cases of one half with the candidate's texts. */
  async #repeat(rewrite: Rewrite, half: 'search' | 'proof'): Promise<Evaluation> {
    const { store, repeat } = this.#parts;
    const { evaluation, model, tools } = this.#targetOf(rewrite);
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
      changes: changesOfEdits(tools, rewrite.edits),
      modelSettingsId: model.id,
      positions,
      repetitions: evaluation.settings.repetitions,
    });
  }

  #targetOf({ baseEvaluationId, modelSettingsId, toolId }: Rewrite): OpenTarget {
    return openTarget(this.#parts.store, {
      evaluationId: baseEvaluationId,
      modelSettingsId,
      toolId,
    });
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

/** Throws CONFLICT where a text is not what the edit was made for. */
function checkOldTexts(tools: OpenTarget['tools'], edits: readonly TextEdit[]): void {
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

const conflict = (rewrite: Rewrite, cause: string, nextStep: string): ServiceError =>
  new ServiceError('CONFLICT', { thing: `${rewrite.name} for ${rewrite.toolId}`, cause, nextStep });
