import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type {
  EvaluationRequest,
  EvaluationSettings,
  InlineSources,
} from '../../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { inSuite, type CaseContent } from '../../../../src-shared/domain/testCase.ts';
import type { Store } from '../../../store/store.ts';
import type { Sources } from '../../runs/unit.ts';
import { fromSuiteFile } from '../../suites/suiteFileCodec.ts';
import type { KnownServers } from './planEvaluation.ts';

/** A case as it will be frozen; `key` is its id in the suite file. */
export interface SourceCase {
  sourceId: string;
  key: string;
  content: CaseContent;
}

export type EvaluationSources = Sources<EvaluationSettings, SourceCase>;

/**
 * The cases, suite and known servers of a planned evaluation, read from the workspace or sent along
 * with the request. Throws NOT_FOUND when there is no such suite.
 */
export async function readCaseSources(
  store: Store,
  request: EvaluationRequest,
): Promise<EvaluationSources & { known: KnownServers }> {
  const known = knownServers(store, request.inline);
  const sources = await readSources(store, request, {
    ofFile: (file) =>
      file.cases.map(({ key, ...content }) => ({
        sourceId: key,
        key,
        content: inSuite(content, file),
      })),
    ofSuite: async (suite) =>
      (await store.testCases.readBySuite(suite.id, createYielder())).map(
        ({ id, key, suiteId: _s, position: _p, createdAt: _c, updatedAt: _u, ...content }) => ({
          sourceId: id,
          key,
          content: inSuite(content, suite),
        }),
      ),
  });
  return { ...sources, known };
}

type ReadSuite = ReturnType<typeof fromSuiteFile>;
type StoredSuite = NonNullable<ReturnType<Store['suites']['get']>>;

/** Throws INVALID with the first error of a plan. */
export function refuseFaults(
  suiteName: string,
  problems: readonly { severity: 'error' | 'warning'; message: string }[],
): void {
  const fault = problems.find(({ severity }) => severity === 'error');
  if (fault)
    throw new ServiceError('INVALID', { thing: suiteName, cause: fault.message, nextStep: '' });
}

/** What an evaluation of one kind of entries leaves out of its suite; nothing where it has one kind. */
export function leftOutOf(
  store: Store,
  { inline, suiteId }: Pick<EvaluationRequest, 'inline' | 'suiteId'>,
  unit: EvaluationUnit,
): { leftOut?: number } {
  const file = inline?.suite ? fromSuiteFile(inline.suite) : null;
  const stored = file === null && suiteId !== null ? store.suites.get(suiteId) : null;
  const leftOut =
    unit === 'case'
      ? (file?.tasks.length ?? stored?.taskCount ?? 0)
      : (file?.cases.length ?? stored?.caseCount ?? 0);
  return leftOut === 0 ? {} : { leftOut };
}

/**
 * Settings, suite and entries of an evaluation, from the request or the workspace. Throws NOT_FOUND
 * when there is no such suite.
 */
export async function readSources<
  Request extends Pick<
    EvaluationRequest,
    'inline' | 'after' | 'models' | 'suiteId' | 'systemPrompt'
  >,
  Entry,
>(
  store: Store,
  request: Request,
  entries: {
    ofFile: (file: ReadSuite) => Entry[];
    ofSuite: (suite: StoredSuite) => Entry[] | Promise<Entry[]>;
  },
): Promise<Sources<Omit<Request, 'inline' | 'after'>, Entry>> {
  const { inline, after: _, ...given } = request;
  const settings = { ...given, models: distinctModels(given.models) };
  const suiteOf = ({ system, messages, servers }: ReadSuite | StoredSuite) => ({
    system: settings.systemPrompt ?? system,
    messages,
    servers,
    inlineTools: inline?.tools !== undefined,
  });
  if (inline?.suite) {
    const file = fromSuiteFile(inline.suite);
    return {
      settings: { ...settings, suiteId: null },
      suiteId: null,
      suiteName: file.name,
      suite: suiteOf(file),
      entries: entries.ofFile(file),
    };
  }
  const suite = settings.suiteId === null ? null : store.suites.get(settings.suiteId);
  if (!suite)
    throw new ServiceError('NOT_FOUND', {
      thing: 'Suite',
      cause:
        settings.suiteId === null
          ? 'No suite was chosen.'
          : `There is no suite ${settings.suiteId}.`,
      nextStep: 'Choose a suite, or import one.',
      field: 'suiteId',
    });
  return {
    settings,
    suiteId: suite.id,
    suiteName: suite.name,
    suite: suiteOf(suite),
    entries: await entries.ofSuite(suite),
  };
}

/**
 * Drops repeated model configurations: measuring the same configuration twice is what repetitions
 * are for.
 */
function distinctModels(models: EvaluationSettings['models']): EvaluationSettings['models'] {
  return [...new Map(models.map((model) => [JSON.stringify(model), model])).values()];
}

/**
 * Servers with the tools of their latest listing; tools sent with the request replace the
 * registered servers.
 */
function knownServers(store: Store, inline: InlineSources | undefined): KnownServers {
  if (inline?.tools) {
    const byServer = Map.groupBy(inline.tools, ({ tool }) => tool.server);
    return {
      has: (server) => byServer.has(server),
      tools: (server) => new Set(byServer.get(server)?.map(({ tool }) => tool.name)),
      ofFile: [...byServer.keys()],
    };
  }
  const listed = new Map<string, ReadonlySet<string> | null>();
  for (const { id, name } of store.servers.list()) {
    const latest = store.serverListings.latest(id);
    const snapshot = latest ? store.toolSnapshots.get(latest.snapshotId) : null;
    const usable = snapshot?.servers.some(({ status }) => status === 'listed') ?? false;
    listed.set(name, snapshot && usable ? new Set(snapshot.tools.map((tool) => tool.name)) : null);
  }
  return {
    has: (server) => listed.has(server),
    tools: (server) => listed.get(server) ?? null,
    ofFile: null,
  };
}
