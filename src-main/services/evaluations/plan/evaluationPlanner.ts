import { knownBefore } from './knownBefore.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type { EvaluationRequest } from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationPlan, PlanProblem } from '../../../../src-shared/domain/evaluationPlan.ts';
import type { OpenChatModel } from '../../../adapters/llm/chatModel.ts';
import type { Store } from '../../../store/store.ts';
import type { Prices } from '../../models/prices.ts';
import { countPlan } from './countPlan.ts';
import {
  leftOutOf,
  readCaseSources,
  refuseFaults,
  type EvaluationSources,
} from './evaluationSources.ts';
import { planEvaluation, serversOf } from './planEvaluation.ts';
import { plannedCase } from './plannedEntry.ts';
import { plannedGroups } from './plannedGroups.ts';
import { withPrograms } from './plannedPrograms.ts';
import { planModels, totalCost, type PlannedWires } from './planModels.ts';

export interface PlannerParts {
  store: Store;
  openChatModel: OpenChatModel;
  /** When absent, plans say nothing about models. */
  wires?: PlannedWires;
  prices: Prices;
}

/** What an evaluation would run and cost, before it is started. */
export class EvaluationPlanner {
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /** With a signal, endpoints count the tokens; without one, they are estimated. */
  async plan(
    request: EvaluationRequest,
    signal: AbortSignal | null,
    options: Parameters<OpenChatModel>[1] = {},
  ): Promise<EvaluationPlan> {
    const { store, wires, prices } = this.#parts;
    const openChatModel: OpenChatModel = (model) => this.#parts.openChatModel(model, options);
    const { sources, plan } = await this.#readPlan(request);
    const { settings, suite } = sources;
    const entries = sources.entries.map((each) =>
      plannedCase(each, serversOf(each.content, settings, suite.servers), suite),
    );
    const planned = { entries, settings, suite };
    const groups = plannedGroups(store, planned, request.inline?.tools);
    const counts =
      signal === null
        ? undefined
        : await countPlan({ wires, openChatModel }, sources, groups, signal);
    const { models, problems } = planModels({ wires, prices }, planned, groups, counts);
    const costUsd = totalCost(models);
    const { runs } = plan;
    const known = knownBefore({ settings, unit: 'case', items: entries.length, runs, costUsd });
    const warnings = known.map((message): PlanProblem => ({
      severity: 'warning',
      caseKey: null,
      message,
    }));
    // Before the warnings about single cases, of which only the first are shown.
    return withPrograms(
      wires?.program,
      settings.models,
      {
        ...plan,
        problems: [...warnings, ...plan.problems, ...problems],
        ...{ models, costUsd },
        ...leftOutOf(store, request, 'case'),
      },
      (message): PlanProblem => ({ severity: 'error', caseKey: null, message }),
    );
  }

  /** What a request of a user starts. Throws INVALID with the first error of its plan. */
  async toStart(request: EvaluationRequest): Promise<EvaluationSources> {
    if (request.whatIf)
      throw new ServiceError('INVALID', {
        thing: 'The evaluation',
        cause: "A what-if can't be started on its own.",
        nextStep: 'Start it from the evaluation that it repeats.',
        field: 'whatIf',
      });
    const { sources, plan } = await this.#readPlan(request);
    refuseFaults(sources.suiteName, plan.problems);
    const { known: _known, ...start } = sources;
    return start;
  }

  /** The runs of a request and the settings, suite and cases that they are made of. */
  async #readPlan(request: EvaluationRequest): Promise<{
    sources: Awaited<ReturnType<typeof readCaseSources>>;
    plan: ReturnType<typeof planEvaluation>;
  }> {
    const sources = await readCaseSources(this.#parts.store, request);
    const { entries, settings, suite, known } = sources;
    return { sources, plan: planEvaluation(entries, settings, suite.servers, known) };
  }
}
