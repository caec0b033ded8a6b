import { clientNames } from '../../../src-shared/display/clientTexts.ts';
import { areOfSeveralServers, toolId } from '../../../src-shared/domain/labels.ts';
import type { Outcome, OutcomeCounts } from '../../../src-shared/domain/outcome.ts';
import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';
import type { CauseGroup, Failures, ToolFailures } from '../../../src-shared/domain/verdict.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { causesByTool } from '../../../src-shared/metrics/toolsToFix.ts';
import { contentTerms, stem } from '../../analysis/tokenizer.ts';
import { missingWords, fewWords } from '../../analysis/missingWords.ts';
import type { EvaluationRow } from '../../store/evaluations/evaluations.ts';
import type { Store } from '../../store/store.ts';
import { factsOf } from '../clients/clientViews.ts';
import { presentTools } from '../evaluations/tools/presentedTools.ts';
import { runDifferences } from '../evaluations/read/runDifferences.ts';

export interface VerdictFacts {
  counts: [modelSettingsId: string, counts: OutcomeCounts][];
  causes: CauseGroup[];
  missingWords: string[];
  severalServers: boolean;
  casesPassedInEveryRun: number;
}

/** More failing requests say nothing new about wording. */
const maxRequests = 200;

/** Counts outcomes and causes of an evaluation, and of one model if one is given. */
export function verdictFacts(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): VerdictFacts {
  const causes = causesWithClient(store, evaluation, modelSettingsId);
  const [first] = causes;
  const firstRows = (cause: CauseGroup) =>
    store.runQueries.rows(
      store.outcomes.failedRuns({
        evaluationId: evaluation.id,
        modelSettingsId,
        ...cause,
        search: '',
        positions: null,
        limit: maxRowsPerGroup,
      }),
    );
  return {
    counts: [...store.outcomes.counts(evaluation.id)].filter(
      ([id]) => modelSettingsId === null || id === modelSettingsId,
    ),
    causes,
    // No wording helps a tool that doesn't reach the model.
    missingWords:
      first?.hiddenBy === undefined && first
        ? wordsOfCause(store, evaluation, modelSettingsId, first, firstRows(first))
        : [],
    severalServers: areOfSeveralServers(
      causes.flatMap(({ expected, called }) => [expected, called]),
    ),
    casesPassedInEveryRun: store.outcomes.casesPassedInEveryRun(evaluation.id),
  };
}

/** Outcomes that the wording of a definition can explain. */
const wordingOutcomes: ReadonlySet<Outcome> = new Set(['no_tool_called', 'wrong_tool']);

/** More groups than a person reads; the list of all cases shows the rest. */
const maxGroups = 40;
const maxRowsPerGroup = 12;

/** The failures of an evaluation by cause, with the first runs of each. */
export function listFailures(
  store: Store,
  evaluation: EvaluationRow,
  {
    modelSettingsId,
    search,
    hideHeldOut = false,
  }: { modelSettingsId: string | null; search: string; hideHeldOut?: boolean | undefined },
): Failures {
  const positions = hideHeldOut ? JSON.stringify(searchPositions(store, evaluation.id)) : null;
  const causes = causesWithClient(store, evaluation, modelSettingsId);
  // A search may find requests of causes beyond the first.
  const read = search.trim() === '' ? causes.slice(0, maxGroups) : causes;
  const groups: Failures['groups'] = [];
  for (const cause of read) {
    if (groups.length === maxGroups) break;
    const rowids = store.outcomes.failedRuns({
      evaluationId: evaluation.id,
      modelSettingsId,
      ...cause,
      search: search.trim(),
      positions,
      limit: maxRowsPerGroup,
    });
    // A cause of held-out cases alone is listed without rows.
    if (rowids.length === 0 && !hideHeldOut) continue;
    const rows = store.runQueries.rows(rowids);
    groups.push({
      ...cause,
      missingWords:
        cause.hiddenBy === undefined
          ? wordsOfCause(store, evaluation, modelSettingsId, cause, rows)
          : [],
      rows: rows.map((row) => ({
        ...row,
        differences: runDifferences(store, row, () =>
          store.entries.get(evaluation.id, row.position),
        ),
      })),
    });
  }
  const shown = [...new Set(groups.flatMap(({ rows }) => rows.map(({ position }) => position)))];
  const severalMarks =
    modelSettingsId === null &&
    evaluation.modelSettingsIds.length > 1 &&
    evaluation.settings.repetitions === 1;
  return {
    tools: failuresByTool(
      store,
      evaluation.id,
      modelSettingsId,
      search.trim() === '' ? causes : groups,
    ),
    groups,
    moreCauses: Math.max(0, causes.length - maxGroups),
    cases: severalMarks ? store.outcomes.ofCases(evaluation.id, shown) : [],
  };
}

/** The causes of failures, those that a client is to blame for with its name. */
function causesWithClient(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
): CauseGroup[] {
  const hiddenBy = hiddenTools(store, evaluation);
  return store.outcomes
    .causes(evaluation.id, modelSettingsId)
    .map((cause) => ({ ...cause, ...hiddenBy(cause.expected) }));
}

function hiddenTools(
  store: Store,
  { snapshotId, settings: { client } }: EvaluationRow,
): (expected: string) => Pick<CauseGroup, 'hiddenBy'> {
  const snapshot =
    client === undefined || snapshotId === null ? null : store.toolSnapshots.get(snapshotId);
  if (client === undefined || snapshot === null) return () => ({});
  const rejected = snapshot.servers.flatMap((listing) => listing.rejected);
  const { hidden } = presentTools(snapshot.tools, rejected, factsOf(client));
  const ids = new Set(hidden.map(({ server, tool }) => toolId(server, tool)));
  return (expected) => (ids.has(expected) ? { hiddenBy: clientNames[client] } : {});
}

const keyOf = ({
  outcome,
  expected,
  called,
}: Pick<CauseGroup, 'outcome' | 'expected' | 'called'>) =>
  JSON.stringify([outcome, expected, called]);

function failuresByTool(
  store: Store,
  evaluationId: string,
  modelSettingsId: string | null,
  causes: readonly CauseGroup[],
): ToolFailures[] {
  const ofModels = Map.groupBy(store.outcomes.causesOfModels(evaluationId, modelSettingsId), keyOf);
  const involved = Map.groupBy(
    store.outcomes.involvedRuns(evaluationId, modelSettingsId),
    ({ tool }) => tool,
  );
  return causesByTool(causes).map(({ tool, runs, causes: own }) => {
    const listed = own.map(({ outcome, expected, called, runs: all, cases, hiddenBy }) => {
      const cause = { outcome, expected, called };
      const models = (ofModels.get(keyOf(cause)) ?? []).map((one) => ({
        modelSettingsId: one.modelSettingsId,
        runs: one.runs,
      }));
      return { ...cause, runs: all, cases, ...(hiddenBy !== undefined && { hiddenBy }), models };
    });
    const failed = new Map<string, number>();
    for (const one of listed.flatMap(({ models }) => models))
      failed.set(one.modelSettingsId, (failed.get(one.modelSettingsId) ?? 0) + one.runs);
    // Of failures that point at no single tool, there is nothing that they are a part of.
    const scored =
      tool === null
        ? [...failed].map(([id, count]) => ({ modelSettingsId: id, runs: count }))
        : (involved.get(tool) ?? []);
    return {
      tool,
      runs,
      models: scored.map((one) => ({
        modelSettingsId: one.modelSettingsId,
        failed: failed.get(one.modelSettingsId) ?? 0,
        scored: one.runs,
      })),
      causes: listed,
    };
  });
}

/** The cases that are not held out. */
const searchPositions = (store: Store, evaluationId: string): number[] =>
  store.resultQueries
    .cases(evaluationId)
    .filter(({ caseKey, testCaseId }) => halfOf(caseKey ?? testCaseId) === 'search')
    .map(({ position }) => position);

/**
 * The words that failing requests of a cause say and the definition lacks. Only words of requests
 * that are listed for the cause: a reader must find them there.
 */
function wordsOfCause(
  store: Store,
  evaluation: EvaluationRow,
  modelSettingsId: string | null,
  cause: CauseGroup,
  listed: readonly { query: string }[],
): string[] {
  const definition =
    evaluation.snapshotId === null || !wordingOutcomes.has(cause.outcome)
      ? null
      : store.toolSnapshots.definition(evaluation.snapshotId, cause.expected);
  if (definition === null) return [];
  const requests: { query: string; values: string }[] = [];
  for (const { key, content } of store.outcomes.requests(evaluation.id, modelSettingsId, cause)) {
    // A text that is written with words of held-out requests could not be proved on them.
    if (halfOf(key) !== 'search') continue;
    requests.push({ query: content.query, values: valuesOf(content.expectedCalls) });
    if (requests.length === maxRequests) break;
  }
  const shown = new Set(
    listed.flatMap(({ query }) => contentTerms(query).map((term) => term.stem)),
  );
  return missingWords(requests, definition, {
    ...fewWords,
    accept: (word) => shown.has(stem(word)),
  });
}

function valuesOf(calls: readonly ExpectedCall[]): string {
  return calls.map(({ parameters }) => JSON.stringify(parameters ?? {})).join(' ');
}
