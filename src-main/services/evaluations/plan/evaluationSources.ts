import { createYielder } from '../../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import type {
  EvaluationRequest,
  EvaluationSettings,
  InlineSources,
} from '../../../../src-shared/domain/evaluation.ts';
import { inSuite, type CaseContent } from '../../../../src-shared/domain/testCase.ts';
import type { FrozenSuite } from '../../../store/evaluations/evaluations.ts';
import type { Store } from '../../../store/store.ts';
import { fromSuiteFile } from '../../suites/suiteFileCodec.ts';
import type { KnownServers } from './planEvaluation.ts';

/** A case as it will be frozen; `key` is its id in the suite file. */
export interface SourceCase {
  sourceId: string;
  key: string;
  content: CaseContent;
}

/**
 * The cases, suite and known servers of a planned evaluation, read from the workspace or sent along
 * with the request.
 */
export interface EvaluationSources {
  settings: EvaluationSettings;
  suiteId: string | null;
  suiteName: string;
  suite: FrozenSuite;
  cases: SourceCase[];
  known: KnownServers;
}

/**
 * Reads what an evaluation needs from the workspace and the request, with the event loop free in
 * between. Throws NOT_FOUND when there is no such suite.
 */
export async function readSources(
  store: Store,
  request: EvaluationRequest,
): Promise<EvaluationSources> {
  const { inline, ...given } = request;
  const settings = { ...given, models: distinctModels(given.models) };
  const known = knownServers(store, inline);
  if (inline?.suite) {
    const file = fromSuiteFile(inline.suite);
    return {
      settings: { ...settings, suiteId: null },
      suiteId: null,
      suiteName: file.name,
      suite: {
        system: settings.systemPrompt ?? file.system,
        messages: file.messages,
        servers: file.servers,
        inlineTools: inline.tools !== undefined,
      },
      cases: file.cases.map(({ key, ...content }) => ({
        sourceId: key,
        key,
        content: inSuite(content, file),
      })),
      known,
    };
  }
  const suite = settings.suiteId === null ? null : store.suites.get(settings.suiteId);
  if (!suite) {
    throw new ServiceError('NOT_FOUND', {
      thing: 'Suite',
      cause:
        settings.suiteId === null
          ? 'No suite was chosen.'
          : `There is no suite ${settings.suiteId}.`,
      nextStep: 'Choose a suite, or import one.',
      field: 'suiteId',
    });
  }
  return {
    settings,
    suiteId: suite.id,
    suiteName: suite.name,
    suite: {
      system: settings.systemPrompt ?? suite.system,
      messages: suite.messages,
      servers: suite.servers,
      inlineTools: inline?.tools !== undefined,
    },
    cases: (await store.testCases.readBySuite(suite.id, createYielder())).map(
      ({ id, key, suiteId: _s, position: _p, createdAt: _c, updatedAt: _u, ...content }) => ({
        sourceId: id,
        key,
        content: inSuite(content, suite),
      }),
    ),
    known,
  };
}

/**
 * Drops repeated model configurations: measuring the same configuration twice is what repetitions
 * are for.
 */
export function distinctModels(models: EvaluationSettings['models']): EvaluationSettings['models'] {
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
