import { mapEventIterator } from '@orpc/client';
import { isContractProcedure } from '@orpc/contract';
import { implement, type AnyProcedure, type Router } from '@orpc/server';
import { contract, type Contract } from '../../src-shared/contract/index.ts';
import type { Log } from '../runtime/log.ts';
import type { CallOptions, Services } from '../services/services.ts';
import { badRequest, toWireError } from './errors.ts';
import { endWithReader, isStream } from './stream.ts';

export interface RpcContext {
  services: Services;
}
export type RpcRouter = Router<Contract, RpcContext>;

type Topic = Record<
  string,
  (input: unknown, options: CallOptions) => Promise<unknown> | AsyncIterable<unknown>
>;
interface Call {
  context: RpcContext;
  input: unknown;
  signal?: AbortSignal | undefined;
}
interface AnyImplementer {
  handler(handle: (call: Call) => unknown): AnyProcedure;
}

/**
 * The names of every procedure, `topic.name`: what tests and guards go over, so that a new
 * procedure is never left out.
 */
export const procedureNames: readonly string[] = Object.entries(contract).flatMap(
  ([topic, procedures]) => Object.keys(procedures).map((name) => `${topic}.${name}`),
);

/** Makes every procedure of the contract one call of the service of the same name. */
export function createRouter(log: Log): RpcRouter {
  const implementer = implement(contract)
    .$context<RpcContext>()
    .use(async ({ next, path, signal }) => {
      const toError = (error: unknown) => {
        // Nobody waits for the answer of a call that was given up, and its failure is no fault.
        return signal?.aborted === true ? error : toWireError(error, path.join('.'), log);
      };
      try {
        const result = await next();
        const output: unknown = result.output;
        if (!isStream(output)) return result;
        const stream = mapEventIterator(output, {
          value: async (item: unknown) => item,
          error: async (error) => toError(error),
        });
        return { ...result, output: stream };
      } catch (error) {
        throw toError(error);
      }
    });

  // `Services` is made from the contract, so every name exists on both sides; their types meet
  // there, not here.
  const implementers = implementer as unknown as Record<string, Record<string, AnyImplementer>>;
  const router = Object.entries(contract).map(([topic, procedures]) => {
    const served = Object.entries(procedures).map(([name, procedure]) => {
      const takesInput =
        isContractProcedure(procedure) && procedure['~orpc'].inputSchema !== undefined;
      const handled = implementers[topic]?.[name]?.handler((call) =>
        serve(topic, name, takesInput, call),
      );
      return [name, handled] as const;
    });
    return [topic, Object.fromEntries(served)] as const;
  });
  return Object.fromEntries(router) as unknown as RpcRouter;
}

function serve(topic: string, name: string, takesInput: boolean, call: Call): unknown {
  if (!takesInput && call.input !== undefined) {
    throw badRequest(`${topic}.${name}`, [{ path: '', message: 'This call takes no input.' }]);
  }
  const services = call.context.services as unknown as Record<string, Topic | undefined>;
  const signal = call.signal ?? new AbortController().signal;
  // Called on its topic, so that a topic may be an instance of a class.
  const answer = services[topic]?.[name]?.(call.input, { signal });
  return isStream(answer) ? endWithReader(answer, signal) : answer;
}
