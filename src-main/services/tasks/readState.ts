import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import type { ExecutionPlan } from '../../../src-shared/domain/taskEvaluation.ts';
import { resultValue } from '../../scoring/tasks/resultValue.ts';
import { effectsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { requireAgreement } from './consent.ts';
import { readStates, setUp, type ReadingRun } from './startRun.ts';
import { openEnvironment, type EnvironmentParts } from './taskEnvironment.ts';
import { isolatedOf, listedTools } from './taskSources.ts';

type Reading = Input<'tasks', 'planReading'>;

/** Its tools and no others, in the least mode that executes all of them. */
export function planReading(store: Store, { setup, read }: Reading): ExecutionPlan {
  const listed = listedTools(store, null);
  const tools = Map.groupBy([...setup, read], ({ server, tool }) => `${server}\n${tool}`);
  const executes = [...tools.values()].flatMap(([call]) => {
    if (call === undefined) return [];
    const { server, tool } = call;
    const known = listed(server)?.find(({ name }) => name === tool);
    return [{ server, tool, ...effectsOf(known?.annotations ?? null) }];
  });
  const servers = new Set(executes.map(({ server }) => server));
  return {
    mode: executes.every(({ readOnly }) => readOnly) ? 'read-only' : 'full',
    servers: [...servers],
    executes,
    programs: [],
    unlisted: [...servers].filter((server) => listed(server) === null),
    isolated: isolatedOf(store, servers),
  };
}

/**
 * What the tool of a state check returns after the setup, on servers opened for it alone. Throws
 * INVALID without the agreement that its plan needs, NOT_FOUND for a server that isn't registered, and
 * TROUBLE where a run could not be judged either.
 */
export async function readState(
  { store, judge, ...parts }: EnvironmentParts & Pick<ReadingRun, 'judge'> & { store: Store },
  { agreedServers, setup, read }: Input<'tasks', 'readState'>,
  signal: AbortSignal,
): Promise<Output<'tasks', 'readState'>> {
  const { mode, servers } = planReading(store, { setup, read });
  const names = [...new Set([...setup, read].map(({ tool }) => tool))].join(', ');
  if (mode === 'full')
    requireAgreement(servers, agreedServers, {
      thing: `A reading with ${read.tool}`,
      causeOf: (missing) => `It executes ${names} on ${missing}, and not all of it is read-only.`,
      nextStep: 'Agree to that first.',
    });
  const registered = new Map(store.servers.list().map((server) => [server.name, server]));
  const targets = servers.map((name) => {
    const server = registered.get(name);
    if (server !== undefined) return { name, config: server.config };
    throw new ServiceError('NOT_FOUND', {
      thing: `Server ${name}`,
      cause: 'No server has this name.',
      nextStep: 'Choose a tool of a registered server.',
    });
  });
  const failed = (cause: string): ServiceError =>
    new ServiceError('TROUBLE', {
      thing: `The reading with ${read.tool}`,
      cause,
      nextStep: 'Connect to the server, check the setup and the arguments, then read again.',
    });
  const environment = await openEnvironment(targets, parts, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof ServiceError ? error : failed(errorText(error));
  });
  try {
    const listed = listedTools(store, null);
    const run: ReadingRun = {
      ...{ mode, environment, setup, judge },
      known: servers.flatMap((server) => listed(server) ?? []),
      checks: [{ ...read, id: 'reading', kind: 'state', at: '', test: 'matches', expected: null }],
    };
    const unprepared = await setUp(run, signal);
    if (unprepared?.by === 'infrastructure') throw failed(unprepared.message);
    const { states, end } = await readStates(run, signal);
    if (end?.by === 'infrastructure') throw failed(end.message);
    const result = states['reading'];
    if (result === undefined) throw failed('The tool was not called.');
    if (result.large !== undefined)
      throw failed(
        `Its result has ${formatCount(result.large.length)} characters, too many to pick from. ` +
          'A check can compare a part of it: write its JSON pointer by hand.',
      );
    return { value: resultValue(result), isError: result.isError };
  } finally {
    await environment[Symbol.asyncDispose]();
  }
}
