import { expect } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  call,
  createEngine,
  type Engine,
  type FakeCase,
  type Script,
} from '../../testing/engine.ts';
import { ResultsService } from './resultsService.ts';

export const tools = [{ name: 'add' }, { name: 'remove' }];
export const right: FakeCase['expected'] = [{ server: 's', tool: 'add' }];
export const cases = (n: number): FakeCase[] =>
  Array.from({ length: n }, (_, index) => ({ query: `${index}`, expected: right }));
/** A side of a comparison: an evaluation with a single model. */
export const side = (id: string) => ({ id, modelSettingsId: null });

/** A model whose correct cases can be changed between evaluations. */
export function openWith(
  list: FakeCase[],
  servers: Parameters<typeof createEngine>[0]['servers'] = { s: tools },
) {
  const state = { rightUpTo: 0, wrong: new Set<number>(), script: null as Script | null };
  const script: Script = async (request, signal, model) => {
    if (state.script) return state.script(request, signal, model);
    const at = Number(request.query);
    return { calls: [call('s', at < state.rightUpTo && !state.wrong.has(at) ? 'add' : 'remove')] };
  };
  return { state, engine: createEngine({ servers, cases: list, script }) };
}

export const resultsOf = (engine: Engine) =>
  new ResultsService({
    store: engine.database.store,
    reader: engine.reader,
    summarize: ({ id }, modelSettingsId) => engine.service.summary({ id, modelSettingsId }),
  });

export const run = async (engine: Engine, change = {}) => {
  const id = await engine.start(change);
  await engine.drain(id);
  return id;
};

/** The ServiceError that a call must end with. */
export const refused = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
};
