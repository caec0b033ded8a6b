import { mapEventIterator } from '@orpc/client';
import { implement } from '@orpc/server';
import { contract } from '../../src-shared/contract/index.ts';
import type { Log } from '../runtime/log.ts';
import { badRequest, redactError, toWireError } from './errors.ts';
import { isStream } from './stream.ts';

export interface RpcContext {
  log: Log;
  /** Takes secrets out of answers, items of streams, and errors. */
  redactValue: <T>(value: T) => T;
}

/**
 * The contract with the checks that hold for every call. A procedure without an input schema
 * accepts no input, every failure becomes a typed wire error, also inside a stream, and handlers
 * always have a signal (`context.signal`). No answer holds a secret of this process.
 */
export const os = implement(contract)
  .$context<RpcContext>()
  .use(async ({ context: { log, redactValue }, next, path, procedure, signal }, input) => {
    const name = path.join('.');
    // Nobody waits for the answer of a cancelled call, so its failure is not logged.
    const toError = (error: unknown) =>
      signal?.aborted === true ? error : redactError(toWireError(error, name, log), redactValue);
    if (procedure['~orpc'].inputSchema === undefined && input !== undefined)
      throw badRequest(name, [{ path: '', message: 'This call takes no input.' }]);
    try {
      const result = await next({ context: { signal: signal ?? new AbortController().signal } });
      const output: unknown = result.output;
      if (!isStream(output)) return { ...result, output: redactValue(output) };
      const stream = mapEventIterator(output, {
        value: async (item: unknown) => redactValue(item),
        error: async (error) => toError(error),
      });
      return { ...result, output: stream };
    } catch (error) {
      throw toError(error);
    }
  });
