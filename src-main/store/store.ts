import type { ReadableDatabase, StoreClock } from './database/database.ts';
import { sqliteVersion } from './database/sqliteVersion.ts';
import { openCaseRankings } from './evaluations/caseRankings.ts';
import { openDatasets } from './labs/datasets.ts';
import { openEmbeddings } from './labs/embeddings.ts';
import { openEvaluations } from './evaluations/evaluations.ts';
import { openEvents } from './evaluations/events.ts';
import { guardStatements } from './database/guardStatements.ts';
import { openFinder } from './workspace/finder.ts';
import { openEntries } from './evaluations/entries.ts';
import { openModelPrices } from './workspace/modelPrices.ts';
import { openFrontiers } from './labs/frontiers.ts';
import { openModelSettings } from './evaluations/modelSettings.ts';
import { openOfferedTools } from './runs/offeredTools.ts';
import { openOptimizations } from './evaluations/optimizations.ts';
import { openOutcomes } from './runs/outcomes.ts';
import { openFilterChoices } from './runs/filterChoices.ts';
import { openResultQueries } from './runs/resultQueries.ts';
import { openResults } from './runs/results.ts';
import { openCandidates } from './evaluations/candidates.ts';
import { openRunFolds } from './runs/runFolds.ts';
import { openRunMeasures } from './runs/runMeasures.ts';
import { openRunQueries } from './runs/runQueries.ts';
import { openSecurity } from './labs/security.ts';
import { openServerListings } from './servers/serverListings.ts';
import { openServerItems } from './servers/serverItems.ts';
import { openServerRenames } from './servers/serverRenames.ts';
import { openServers } from './servers/servers.ts';
import { openShardRuns } from './runs/shardRuns.ts';
import { openSettings } from './workspace/settings.ts';
import { createTransaction, type StoreContext } from './storeContext.ts';
import { openSuiteDrafts } from './suites/suiteDrafts.ts';
import { openStagedCases } from './suites/stagedCases.ts';
import { openSuites } from './suites/suites.ts';
import { openLastRuns } from './runs/lastRuns.ts';
import { openLabels } from './runs/labels.ts';
import { openPlayedTasks } from './runs/playedTasks.ts';
import { openSentCalls } from './runs/sentCalls.ts';
import { openSteps } from './runs/steps.ts';
import { openTasks } from './suites/tasks.ts';
import { openSummaries } from './evaluations/summaries.ts';
import { openTestCases } from './suites/testCases.ts';
import { openRuns } from './runs/runs.ts';
import { openToolCategories } from './workshop/toolCategories.ts';
import { openToolExecutions } from './workshop/toolExecutions.ts';
import { openTools } from './workshop/tools.ts';
import { openTokenCounts } from './servers/tokenCounts.ts';
import { openToolConfusions } from './servers/toolConfusions.ts';
import { openServerCases } from './servers/serverCases.ts';
import { openToolResults } from './servers/toolResults.ts';
import { openToolRows } from './servers/toolRows.ts';
import { openToolUse } from './servers/toolUse.ts';
import { openToolSnapshots } from './servers/toolSnapshots.ts';
import { openTrash } from './workspace/trash.ts';
import { openWorkshopState } from './workshop/workshopState.ts';

export interface StoreParts {
  clock: StoreClock;
  nextId: () => string;
  /** Takes secrets out of every text that is written. A store that is only read needs none. */
  redact?: (text: string) => string;
}

/**
 * Everything that the workspace keeps, one entity each. Statements are prepared once, here. On a
 * database that was opened for reading, every write throws READ_ONLY.
 */
export function openStore(
  db: ReadableDatabase,
  { clock, nextId, redact = (text) => text }: StoreParts,
) {
  guardStatements(db, redact);
  const context: StoreContext = { db, clock, nextId, redact, transaction: createTransaction(db) };
  const steps = openSteps(context);
  const testCases = openTestCases(context);
  const stagedCases = openStagedCases(context);
  return {
    /** Runs several writes that succeed or fail together. Calls may nest. */
    transaction: context.transaction,
    /** False next to a running window: then every write is refused. */
    writable: db.session !== null,
    /** Why nothing may be written any more; null where all is well. */
    get damage() {
      return db.session?.damage ?? null;
    },
    /** The id of the newest migration that was applied. */
    schemaVersion: Number(db.pragma('user_version', { simple: true })),
    sqliteVersion: sqliteVersion(db),
    servers: openServers(context),
    serverListings: openServerListings(context),
    serverItems: openServerItems(context),
    suites: openSuites(context),
    serverRenames: openServerRenames(context, { testCases, stagedCases }),
    testCases,
    tasks: openTasks(context),
    suiteDrafts: openSuiteDrafts(context),
    finder: openFinder(context),
    trash: openTrash(context),
    settings: openSettings(context),
    toolSnapshots: openToolSnapshots(context),
    modelSettings: openModelSettings(context),
    modelPrices: openModelPrices(context),
    evaluations: openEvaluations(context),
    caseRankings: openCaseRankings(context),
    offeredTools: openOfferedTools(context),
    entries: openEntries(context),
    runs: openRuns(context, steps),
    steps,
    sentCalls: openSentCalls(context),
    labels: openLabels(context),
    playedTasks: openPlayedTasks(context, steps),
    results: openResults(context),
    events: openEvents(context),
    summaries: openSummaries(context),
    runQueries: openRunQueries(context),
    runMeasures: openRunMeasures(context),
    shardRuns: openShardRuns(context),
    tools: openTools(context),
    toolCategories: openToolCategories(context),
    toolExecutions: openToolExecutions(context),
    workshop: openWorkshopState(context),
    security: openSecurity(context),
    embeddings: openEmbeddings(context),
    stagedCases,
    toolConfusions: openToolConfusions(context),
    serverCases: openServerCases(context),
    toolUse: openToolUse(context),
    toolRows: openToolRows(context),
    toolResults: openToolResults(context),
    lastRuns: openLastRuns(context),
    candidates: openCandidates(context),
    optimizations: openOptimizations(context),
    outcomes: openOutcomes(context),
    filterChoices: openFilterChoices(context),
    resultQueries: openResultQueries(context),
    runFolds: openRunFolds(context),
    tokenCounts: openTokenCounts(context),
    datasets: openDatasets(context),
    frontiers: openFrontiers(context),
  };
}

export type Store = ReturnType<typeof openStore>;
