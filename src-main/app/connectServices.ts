import { join } from 'node:path';
import type { OpenChatModel } from '../adapters/llm/chatModel.ts';
import { describeTools, mapTools } from '../adapters/llm/openChatModel.ts';
import { installedAgents, plannedProgram } from '../adapters/llm/agent/agentProvider.ts';
import { plannedWire } from '../adapters/llm/plannedWire.ts';
import type { CloseStack } from '../runtime/closeStack.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { EvaluationReader } from '../services/results/read/evaluationReader.ts';
import { evaluationsOfBoth } from '../services/runs/evaluationsOfBoth.ts';
import { EvaluationsService } from '../services/evaluations/evaluationsService.ts';
import { commandScoring, createScorer } from '../services/evaluations/score/scorer.ts';
import { SessionsService } from '../services/capture/sessionsService.ts';
import { Gateway } from '../services/gateway/gateway.ts';
import { KeysService } from '../services/keys/keysService.ts';
import { ModelsService } from '../services/models/modelsService.ts';
import { openPrices } from '../services/models/prices.ts';
import { ReportsService } from '../services/reports/reportsService.ts';
import { SavingService } from '../services/saving/savingService.ts';
import { SecurityService } from '../services/security/securityService.ts';
import { RetrievalService } from '../services/retrieval/retrievalService.ts';
import { OptimizationsService } from '../services/optimizations/optimizationsService.ts';
import { CandidatesService } from '../services/candidates/candidatesService.ts';
import { currentMachine } from '../services/servers/import/serverExchange.ts';
import { commandOf } from '../services/servers/programConnector.ts';
import { ServersService } from '../services/servers/serversService.ts';
import { ResultsService } from '../services/results/resultsService.ts';
import type { Services } from '../services/services.ts';
import { SampleWorkspace } from '../services/settings/sampleWorkspace.ts';
import { SettingsService } from '../services/settings/settingsService.ts';
import { SimilarityService } from '../services/similarity/similarityService.ts';
import { Settler } from '../services/suites/settler.ts';
import { createCaseReader } from '../services/suites/caseReader.ts';
import { SuitesService } from '../services/suites/suitesService.ts';
import { TokenCounter } from '../services/tokenCounts/tokenCounter.ts';
import { TokenCounts } from '../services/tokenCounts/tokenCounts.ts';
import { TaskEvaluationsService } from '../services/tasks/taskEvaluationsService.ts';
import { Trials } from '../services/trials/trials.ts';
import { ToolsService } from '../services/tools/toolsService.ts';
import { TokensService } from '../services/tokens/tokensService.ts';
import { WorkshopService } from '../services/workshop/workshopService.ts';
import { identifyProcess } from '../store/durability/processIdentity.ts';
import { noHomePrices, readHomePrices } from '../store/workspace/homePrices.ts';
import { databaseName, type Workspace } from './openWorkspace.ts';

/** A command counts ordinary lists of tools itself, because a thread would only cost memory. */
const commandMaxInlineLength = 1_000_000;

/** Credentials that an earlier version left in the database. */
export interface PlainSecrets {
  /** What a person should know; null if there were none. */
  note: string | null;
  /** Tries again once the store keeps values. */
  hide: () => Promise<void>;
}

/**
 * Connects all services. Everything that needs closing is added to `closing` right after it was
 * opened, so that a failure half-way leaves nothing open.
 */
export function connectServices(workspace: Workspace, closing: CloseStack, plain?: PlainSecrets) {
  const {
    options,
    file,
    store,
    secrets,
    vault,
    toolVault,
    log,
    fileLog,
    connect,
    fillTarget,
    allowedHosts,
    starting,
    environment,
    contactedHosts,
    clock,
    nextId,
    models,
    requestSecrets,
    openEmbedder,
    sealKey,
  } = workspace;
  const { folder, access } = options;
  const scorer = createScorer(options.host === 'cli' ? commandScoring : {});
  closing.add(() => scorer.close());
  // A command has nothing else to do while it waits, so a worker would only cost memory.
  const reader = new EvaluationReader({
    store,
    file,
    migrationsFolder: programFiles.migrations,
    ...(options.host === 'cli' && { maxInlineRuns: Infinity }),
  });
  closing.add(() => reader.close());

  const tokenCounts = new TokenCounts(
    store,
    new TokenCounter(options.host === 'cli' ? { maxInlineLength: commandMaxInlineLength } : {}),
  );
  closing.add(() => tokenCounts.close());

  const settler = new Settler(store, workspace.log);
  closing.add(() => settler.stop());
  const servers = new ServersService({
    store,
    tokens: tokenCounts,
    connect,
    vault,
    redact: secrets.redact,
    clock,
    nextId,
    machine: { ...currentMachine(), environment },
    log: fileLog,
    settler,
    starting,
  });
  closing.add(() => servers.close());
  // Nothing of it is stored, so credentials move to the key store as a model is opened.
  const openKept: OpenChatModel = async (model, asked) =>
    models.open(await requestSecrets.keep(model), asked);
  const security = new SecurityService({
    store,
    openChatModel: openKept,
    datasetsFolder: programFiles.datasets,
  });
  closing.add(() => security.close());
  const similarity = new SimilarityService({
    store,
    tokens: tokenCounts,
    connect,
    openChatModel: openKept,
    openEmbedder,
    examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
    clock,
    nextId,
  });
  closing.add(() => similarity.close());
  const caseReader = createCaseReader(store);
  closing.add(() => caseReader.close());
  const suites = new SuitesService({
    store,
    reader: caseReader,
    openChatModel: models.open,
    settler,
  });
  const home =
    options.homeFolder === undefined
      ? noHomePrices
      : readHomePrices({
          file: join(options.homeFolder, databaseName),
          migrationsFolder: programFiles.migrations,
          clock,
        });
  const prices = openPrices(store.modelPrices, programFiles.datasets, home.prices);
  const retrieval = new RetrievalService({
    store,
    connect,
    openEmbedder,
    clock,
    datasets: programFiles.datasets,
  });
  const ofBothUnits = {
    store,
    sealKey,
    tokens: tokenCounts,
    connect,
    openChatModel: models.open,
    requestSecrets,
    mapTools,
    wires: { of: plannedWire, program: plannedProgram },
    prices,
    reader,
    clock,
    nextId,
    owner: ownerName(),
    log: fileLog,
  };
  const evaluations = new EvaluationsService({
    ...ofBothUnits,
    openExternalRetriever: (spec, corpus, signal) => retrieval.open(spec, corpus, signal),
    describeTools,
    scorer,
  });
  closing.add(() => evaluations.close());
  const taskEvaluations = new TaskEvaluationsService(ofBothUnits);
  closing.add(() => taskEvaluations.close());
  const gateway = new Gateway({
    store,
    fill: fillTarget,
    options: { self: commandOf(options), access: { allowedHosts } },
    guard: secrets,
    clock,
    folder,
  });
  closing.add(() => gateway[Symbol.asyncDispose]());
  const clientFiles = {
    machine: { ...currentMachine(), environment },
    program: {
      node: options.node ?? process.execPath,
      commandLine: options.commandLine ?? programFiles.commandLine,
    },
    folder,
  };
  const workshop = new WorkshopService({
    store,
    connect,
    clock,
    toolVault,
    openChatModel: models.open,
    clients: clientFiles,
    secretGuard: secrets,
    contactedHosts,
    // The SDK is loaded when the workshop is served, not at startup.
    openServer: async (server) =>
      (await import('../servers/workshop/http.ts')).serveWorkshopOverHttp(server),
    openEcho: async () => (await import('../servers/echo.ts')).openEchoServer(),
    register: (input) => servers.create(input),
    log,
  });
  closing.add(() => workshop.close());
  const results = new ResultsService({
    store,
    reader,
    summarize: ({ id }, modelSettingsId) => evaluations.summary({ id, modelSettingsId }),
  });
  const reports = new ReportsService({
    store,
    sealKey,
    reader,
    clock,
    version: programFiles.version,
    redactTexts: secrets.redactTexts,
    evaluations,
    results,
    security,
    similarity,
    taskEvaluations,
  });
  const saving = new SavingService({
    store,
    dialog: options.saveDialog ?? null,
    reports,
    nextId,
  });
  const tokens = new TokensService({
    store,
    tokens: tokenCounts,
    clock,
    nextId,
    datasets: programFiles.datasets,
    evaluations,
    reader,
    prices,
  });
  const trials = new Trials({ store, evaluations, taskEvaluations });
  const candidates = new CandidatesService({
    store,
    tokens: tokenCounts,
    examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
    openChatModel: models.open,
    trials,
  });
  evaluations.onEnd((id) => candidates.settle(id));
  taskEvaluations.onEnd((id) => candidates.settle(id));
  const tools = new ToolsService({
    ...{ store, tokens: tokenCounts, reader, similarity, security, candidates },
  });
  closing.add(() => tools.close());
  const optimizations = new OptimizationsService({
    store,
    openChatModel: models.open,
    prices,
    trials,
    clock,
    log: fileLog,
    requestSecrets,
  });
  closing.add(() => optimizations.close());
  const sample = new SampleWorkspace({
    store,
    suites,
    servers,
    evaluations,
    datasets: programFiles.datasets,
    log,
  });
  closing.add(() => sample.close());
  const settings = new SettingsService({
    store,
    requestSecrets,
    sample,
    environment,
    contactedHosts,
    log: fileLog,
    fixed: {
      version: programFiles.version,
      host: options.host,
      folder,
      databaseFile: file,
      schemaVersion: store.schemaVersion,
      sqliteVersion: store.sqliteVersion,
      nodeVersion: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      readOnly: access === 'read',
      get plainSecrets() {
        return plain?.note ?? null;
      },
    },
    restore: {
      server: (content) => servers.restore(content),
      suite: (content) => suites.restoreSuite(content),
      cases: (content) => suites.restoreCases(content),
      tasks: (content) => suites.restoreTasks(content),
      evaluation: (content) => store.evaluations.restore(content),
      dataset: (content) => retrieval.restore(content),
    },
  });
  const services: Services = {
    servers,
    suites,
    evaluations: evaluationsOfBoth(evaluations, taskEvaluations),
    results,
    reports,
    saving,
    retrieval,
    similarity,
    candidates,
    optimizations,
    security,
    tokens,
    tools,
    sessions: new SessionsService(store, clientFiles),
    workshop,
    settings,
    secretGuard: secrets,
    keys: new KeysService(secrets, plain?.hide),
    models: new ModelsService({
      ...{ store, access: models, requestSecrets, prices },
      agents: installedAgents,
    }),
  };
  return {
    services,
    gateway,
    sample,
    unreadPrices: home.problem,
    /** True while evaluations run, those of a search too. */
    isRunning: () => evaluations.isBusy || taskEvaluations.isBusy,
    /** Goes on with what waits for a file that was checked. */
    settle: () => settler.wake(),
    /** Ends what a program that was killed left in progress. */
    recover: () => {
      settler.begin();
      evaluations.recover();
      taskEvaluations.recover();
      candidates.recover();
      optimizations.recover();
      workshop.recover();
    },
  };
}

/**
 * Identifies this process. The start time distinguishes it from a later process with the same id.
 */
function ownerName(): string {
  const { pid, startTime } = identifyProcess();
  return startTime === null ? `${pid}` : `${pid}@${startTime}`;
}
