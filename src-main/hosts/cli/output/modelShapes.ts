import {
  NOT_DEFINED,
  counted,
  formatCount,
  formatRate,
  formatShare,
} from '../../../../src-shared/display/numbers.ts';
import type { Evaluation, EvaluationSummary } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { Deferral } from '../../../../src-shared/domain/modelService.ts';
import type { VsBest } from '../../../../src-shared/domain/verdict.ts';
import { vsBestText } from '../../../../src-shared/display/verdictTexts.ts';
import {
  evaluationHead,
  failedRuns,
  vsBestDocument,
} from '../../../services/reports/documents/evaluationDocument.ts';
import { publish } from '../../../services/reports/documents/published.ts';
import { dollars } from './planEstimate.ts';
import { table } from './output.ts';
import { evaluationText } from './shapes.ts';
import type { Client } from '../session.ts';

/** The results by model; empty if there is only one. */
export interface ModelNumbers {
  models: { id: string; label: string; summary: EvaluationSummary; vsBest: VsBest | null }[];
  deferrals: Deferral[];
}

/** Results by model, if an evaluation has several. */
export async function readModelNumbers(
  client: Client,
  evaluation: Evaluation,
): Promise<ModelNumbers> {
  if (evaluation.models.length < 2) return { models: [], deferrals: [] };
  const verdict = await client.results.verdict({ id: evaluation.id, modelSettingsId: null });
  const models = await Promise.all(
    evaluation.models.map(async (model) => ({
      id: model.id,
      label: modelLabel(model),
      summary: await client.evaluations.summary({ id: evaluation.id, modelSettingsId: model.id }),
      vsBest:
        verdict.models.find(({ modelSettingsId }) => modelSettingsId === model.id)?.vsBest ?? null,
    })),
  );
  return { models, deferrals: await client.models.deferrals({ evaluationId: evaluation.id }) };
}

/** An evaluation with its verdict and the results by model: as a JSON document and as a text. */
export async function readWhole(
  client: Client,
  id: string,
): Promise<{ document: object; text: () => string }> {
  const evaluation = await client.evaluations.get({ id });
  const summary = await client.evaluations.summary({ id });
  const verdict = await client.results.verdict({ id });
  const models = await readModelNumbers(client, evaluation);
  const failures = await client.results.failures({ id });
  return {
    document: {
      ...evaluationHead(evaluation, summary, verdict),
      failed_runs: failedRuns(failures),
      ...(models.models.length > 0 && modelsShape(models)),
    },
    text: () => evaluationText({ evaluation, summary, verdict, failures }) + modelsText(models),
  };
}

export function modelsShape({ models, deferrals }: ModelNumbers) {
  return {
    models: models.map(
      ({
        id,
        label,
        vsBest,
        summary: { counts, metrics, latencyMs, tokens, tokenSource, costUsd },
      }) => ({
        id,
        label,
        vs_best: vsBest && publish(vsBestDocument, vsBest),
        counts: {
          tp: counts.tp,
          fp: counts.fp,
          tn: counts.tn,
          fn: counts.fn,
          failed: counts.failed,
          open: counts.open,
          total: counts.total,
        },
        metrics: {
          pass_rate: metrics.passRate,
          selection_precision: metrics.selectionPrecision,
          selection_recall: metrics.selectionRecall,
          selection_f1: metrics.selectionF1,
          parameter_accuracy: metrics.parameterAccuracy,
        },
        latency_ms: latencyMs,
        tokens: { ...tokens, source: tokenSource },
        cost_usd: costUsd,
      }),
    ),
    deferrals: deferrals.map((each) => ({
      all: each.all,
      deferred: each.deferred,
      pairs: each.pairs,
      changed: each.changed,
      tokens_saved: each.tokensSaved,
      savings_percentage: each.savingsPercentage,
    })),
  };
}

export function modelsText({ models, deferrals }: ModelNumbers): string {
  if (models.length === 0) return '';
  const rate = ({ value, n }: { value: number | null; n: number }) =>
    value === null ? NOT_DEFINED : `${formatRate(value)} (n ${n})`;
  const rows = models.map(
    ({ label, vsBest, summary: { metrics, counts, tokens, tokenSource, costUsd } }) => [
      label,
      rate(metrics.passRate),
      vsBestText(vsBest),
      rate(metrics.selectionPrecision),
      rate(metrics.selectionRecall),
      rate(metrics.selectionF1),
      String(counts.failed),
      `${formatCount(tokens.input)} ${tokenSource ?? ''}`.trim(),
      dollars(costUsd),
    ],
  );
  const saved = deferrals.map(
    (each) =>
      `${each.label}: with deferred tools, ${formatCount(each.changed)} of ` +
      `${counted(each.pairs, 'selection')} changed, and ` +
      (each.tokensSaved === null
        ? 'tokens were not measured.'
        : `${counted(each.tokensSaved, 'input token')} (` +
          `${formatShare(each.savingsPercentage === null ? null : each.savingsPercentage / 100)}) ` +
          'were saved.'),
  );
  return [
    '',
    table([
      [
        'model',
        'pass rate',
        'vs. best',
        'precision',
        'recall',
        'F1',
        'not scored',
        'tokens in',
        'cost',
      ],
      ...rows,
    ]),
    ...saved,
  ].join('\n');
}
