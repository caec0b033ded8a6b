import { promptOf } from '../../../../src-shared/domain/testCase.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { RunDetail, RunFilter } from '../../../../src-shared/domain/evaluation.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import {
  observation,
  observationDetails,
  type Observation,
  type ObservationDetails,
} from '../../../../src-shared/domain/observation.ts';
import type { Score } from '../../../../src-shared/domain/score.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { halfOf } from '../../../../src-shared/metrics/candidateProof.ts';
import { withoutHeldOut } from '../../../scoring/recommendations.ts';
import type { ToolMapping } from '../../../adapters/llm/chatModel.ts';
import type { EvaluationRow } from '../../../store/evaluations/evaluations.ts';
import type { MapTools } from '../tools/sentTools.ts';
import type { RunSort } from '../../../../src-shared/domain/runSorts.ts';
import type { Store } from '../../../store/store.ts';
import type { EvaluationReader } from '../../results/read/evaluationReader.ts';
import { appendInstructions, FrozenTools } from '../tools/offeredTools.ts';
import { serversOf } from '../plan/planEvaluation.ts';
import { toolSeed } from '../plan/evaluationOrder.ts';
import { unpackRequest } from './rawRequest.ts';
import { costOfObservation } from '../../runs/spendMeter.ts';
import { z } from 'zod';

const adaptationNote = z.object({
  excluded: z.array(z.object({ tool: z.string(), reason: z.string() })).default([]),
  relaxations: z.array(z.string()).default([]),
});

/**
 * How the tools were adapted for the provider, as the model's adapter noted it. An unreadable note
 * counts as none, because old runs have other formats.
 */
function adaptationsOf(details: JsonValue | undefined): RunDetail['adaptations'] {
  const read = adaptationNote.safeParse(details);
  return read.success ? read.data : { excluded: [], relaxations: [] };
}

/** The tools as they appear in the request body of a wire format. */
type DescribeTools = (
  wireApi: string,
  tools: readonly SnapshotTool[],
  sent: ModelSettings['sent'],
) => JsonValue[];
/** How tools are shown to a model, needed to rebuild stored requests. */
export interface WireDescriptions {
  describeTools: DescribeTools;
  /** When absent, tools keep their names. */
  mapTools?: MapTools;
}

/**
 * Reads all details of a run, and its neighbors in the list from which it was opened. Throws
 * NOT_FOUND when the evaluation has no such run.
 */
export async function readRun(
  {
    store,
    describeTools,
    mapTools,
    reader,
  }: WireDescriptions & { store: Store; reader: EvaluationReader },
  evaluation: EvaluationRow,
  request: { runId: string; filter: RunFilter; sort: RunSort; descending: boolean },
): Promise<RunDetail> {
  const raw = store.runQueries.raw(request.runId);
  const row = store.runQueries.row(request.runId);
  if (!raw || !row || raw.evaluation_id !== evaluation.id) {
    throw new ServiceError('NOT_FOUND', {
      thing: `Run ${request.runId}`,
      cause: `Evaluation #${evaluation.number} has no such run.`,
      nextStep: 'Open it from the case list.',
    });
  }
  const content = store.entries.get(evaluation.id, row.position);
  const model = store.modelSettings.of(evaluation, row.modelSettingsId);
  if (!content || !model) throw new Error(`Run ${request.runId} has lost its case or its model.`);
  const snapshot =
    evaluation.snapshotId === null ? null : store.toolSnapshots.get(evaluation.snapshotId);
  const tools = snapshot
    ? new FrozenTools(
        snapshot,
        (servers, query) => store.caseRankings.get(evaluation.id, servers, query),
        evaluation.settings.client,
      )
    : null;
  const servers = serversOf(content, evaluation.settings, evaluation.suite.servers);
  const prompt = promptOf(content, evaluation.suite);
  const offered = tools?.offerFor(
    content.query,
    servers,
    evaluation.settings,
    toolSeed(evaluation.settings, row.repetition),
  );
  const mapping = offered && mapTools ? mapTools(model.wireApi, offered.shown, model.sent) : null;
  const observed = raw.observation === null ? null : observation.parse(parseJson(raw.observation));
  const scored = store.results.get(request.runId);
  const { runId, filter, sort, descending } = request;
  const place = await reader.read(evaluation, {
    kind: 'place',
    evaluationId: evaluation.id,
    runId,
    filter,
    sort,
    descending,
  });
  return {
    row,
    case: content,
    system: appendInstructions(
      prompt.system,
      evaluation.settings.serverInstructions ? (tools?.instructions(servers) ?? null) : null,
    ),
    messages: prompt.messages,
    model,
    calls: observed?.calls ?? [],
    text: observed?.text ?? null,
    reasoning: observed?.reasoning ?? null,
    stopReason: observed?.stopReason ?? null,
    details: detailsOf(observed, mapping),
    names: mapping ? [...mapping.names] : [],
    costUsd: observed
      ? costOfObservation(observed, store.evaluations.prices(evaluation.id).get(model.id) ?? null)
      : null,
    score: scored === null ? null : shownScore(scored.score, row.caseKey),
    scorer: scored?.scorer ?? null,
    usage: observed?.usage ?? null,
    offered: offered ? [...offered.ids] : [],
    adaptations: adaptationsOf(observed?.details),
    rawRequest:
      raw.llm_request_raw !== null && tools
        ? unpackRequest(raw.llm_request_raw, tools, (list) =>
            describeTools(model.wireApi, list, model.sent),
          )
        : raw.llm_request_raw,
    rawResponse: raw.llm_response_raw,
    history: store.results.history(request.runId).map((earlier) => ({
      ...earlier,
      score: shownScore(earlier.score, row.caseKey),
    })),
    place,
    createdAt: raw.created_at,
    completedAt: raw.completed_at,
  };
}

/** A score without the words of a held-out case in its recommendations. */
const shownScore = (score: Score, caseKey: string): Score =>
  halfOf(caseKey) === 'search'
    ? score
    : { ...score, recommendations: withoutHeldOut(score.recommendations) };

/**
 * The stored details, else those of its wire format: a run that was never sent has no observation.
 */
function detailsOf(
  observed: Observation | null,
  mapping: ToolMapping | null,
): ObservationDetails | null {
  const stored =
    observed?.details === undefined ? null : observationDetails.safeParse(observed.details);
  if (stored?.success) return stored.data;
  return mapping
    ? observationDetails.parse({ excluded: mapping.excluded, relaxations: mapping.relaxations })
    : null;
}
