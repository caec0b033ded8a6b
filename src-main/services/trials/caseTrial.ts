import type { OptimizationSpend } from '../../../src-shared/domain/optimization.ts';
import { costOf } from '../../../src-shared/domain/price.ts';
import { isRemote } from '../../../src-shared/domain/provider.ts';
import type { ParameterRecord } from '../../../src-shared/domain/candidate.ts';
import { evaluationScope } from '../../store/runs/scopes.ts';
import type { Store } from '../../store/store.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import { spendOf } from '../evaluations/run/spend.ts';
import { findEvaluation } from '../evaluations/read/findEvaluation.ts';
import { caseSide, type StoredSide } from '../results/storedSides.ts';
import { casesOfHalf, readCaseScores } from './caseScores.ts';
import { repeatedItems } from './countProof.ts';
import { keysOfCases } from './proofKeys.ts';
import {
  averageCall,
  once,
  requireEnded,
  trialBase,
  type Trial,
  type TrialTarget,
} from './trial.ts';

export type CaseEvaluations = Pick<EvaluationsService, 'repeat' | 'watch' | 'cancel' | 'resume'>;

export function openCaseTrial(
  store: Store,
  evaluations: CaseEvaluations,
  { evaluationId, modelSettingsId }: TrialTarget,
): Trial {
  const evaluation = findEvaluation(store, evaluationId);
  const base = trialBase(store, 'case', evaluation, modelSettingsId);
  const { model, name } = base;
  const side = once(() => caseSide(store, evaluation, model));
  const own = once(() => new Map(side().items.map((item) => [item.position, item])));
  const repeatedSide = (id: string): StoredSide | null => {
    const found = store.evaluations.get('case', id);
    const asked = found && store.modelSettings.of(found, found.modelSettingsIds[0] ?? '');
    return found && asked && caseSide(store, found, asked);
  };
  const tools = once(() => requireEnded(store, evaluation, name));
  const perCall = once(() =>
    averageCall(evaluation, use(evaluation.id, model.id), evaluation.plannedRuns),
  );
  const glance = (position: number, passed: boolean): string | undefined =>
    store.resultQueries.glance(
      evaluation.id,
      position,
      model.id,
      evaluation.settings.passedWhen,
      passed,
    )?.runId;
  const isFree = !isRemote(model.provider);
  const use = (id: string, ofModel: string | null): OptimizationSpend & { unmeasured: number } => {
    const { usage, unansweredRequests } = spendOf(store, evaluationScope(id, ofModel, 'all'));
    const { answers, unmeasured, input, output, costUsd } = usage.all;
    return {
      calls: answers,
      tokens: (input ?? 0) + (output ?? 0),
      usd: isFree ? 0 : costUsd,
      minutes: 0,
      unanswered: unansweredRequests,
      unmeasured,
    };
  };
  return {
    ...base,
    get proofKeys() {
      return keysOfCases(store, evaluation);
    },
    get tools() {
      return tools();
    },
    get perCall() {
      return perCall();
    },
    callsPerRun: 1,
    execution: null,
    half: (half) => casesOfHalf(store, evaluation.id, half),
    scores: (items) => readCaseScores(store, side(), items, (position) => own().get(position)),
    failedAt: ({ expected }, { failures }) =>
      new Set([...expected, ...failures.flatMap(({ called }) => called ?? [])]),
    failedRun: (position) => {
      const runId = glance(position, false);
      const row = runId === undefined ? null : store.runQueries.row(runId);
      return row && { runId: row.runId, outcome: row.outcome };
    },
    parameters: (toolId) =>
      parameterRecords(store.resultQueries.parameters(evaluation.id, model.id), toolId),
    used: (items) => {
      const runIds = items.flatMap(
        ({ position, share }) => glance(position, share !== null && share > 0.5) ?? [],
      );
      const { repetitions } = evaluation.settings;
      const price = store.evaluations.prices(evaluation.id).get(model.id) ?? null;
      const costs = [...store.runMeasures.of(isFree ? [] : runIds).values()].map(
        ({ inputTokens, outputTokens, ...more }) =>
          inputTokens === null
            ? null
            : costOf(
                {
                  input: inputTokens + more.followUpInputTokens,
                  output: (outputTokens ?? 0) + more.followUpOutputTokens,
                },
                price,
              ),
      );
      const times = runIds.map((runId) => store.runQueries.row(runId)?.executionTimeMs ?? 0);
      return {
        usd: costs.includes(null) ? null : repetitions * sum(costs.map((cost) => cost ?? 0)),
        ms: repetitions * sum(times),
      };
    },
    get side() {
      return side();
    },
    requireConsent: () => undefined,
    repeat: async ({ changes, items, spendLimitUsd }, planned) => {
      const { id } = await evaluations.repeat(
        evaluation.id,
        {
          changes,
          modelSettingsId: model.id,
          positions: items.map(({ position }) => position),
          settings: spendLimitUsd === undefined ? {} : { spendLimitUsd },
        },
        planned,
      );
      return id;
    },
    repeatedScores: (id, items) => {
      const after = repeatedSide(id);
      if (after === null) return [];
      const places = repeatedItems(side(), after);
      return readCaseScores(store, after, items, (position) => places.get(position));
    },
    repeatedSide,
    spentOn: (id) => {
      const { unmeasured: _unmeasured, ...spent } = use(id, null);
      return spent;
    },
    watch: async (id, signal, used) => {
      for await (const event of evaluations.watch({ id, afterSeq: 0 }, { signal }))
        if (event.type === 'runs') used();
    },
    cancel: async (id) => {
      await evaluations.cancel({ id });
    },
    resume: async (id) => {
      await evaluations.resume({ id });
    },
  };
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

function parameterRecords(
  tallies: ReturnType<Store['resultQueries']['parameters']>,
  toolId: string,
): ParameterRecord[] {
  const byName = new Map<string, ParameterRecord>();
  for (const { name, cases, matched, wrongValue, missing, ...tally } of tallies) {
    if (tally.toolId !== toolId) continue;
    const record = byName.get(name) ?? { name, matched: 0, judged: 0 };
    byName.set(name, {
      name,
      matched: record.matched + cases * matched,
      judged: record.judged + cases * (matched + wrongValue + missing),
    });
  }
  return [...byName.values()];
}
