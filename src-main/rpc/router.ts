import { createRouterClient, type Router } from '@orpc/server';
import { contract, type Client, type Contract } from '../../src-shared/contract/index.ts';
import type { CallOptions, ServiceFor } from '../services/contractTypes.ts';
import type { Services } from '../services/services.ts';
import { os, type RpcContext } from './implementer.ts';
import { endWithReader, isStream } from './stream.ts';

export type RpcRouter = Router<Contract, RpcContext>;

/**
 * The names of every procedure, `topic.name`: what tests and guards go over, so that a new
 * procedure is never left out.
 */
export const procedureNames: readonly string[] = Object.entries(contract).flatMap(
  ([topic, procedures]) => Object.keys(procedures).map((name) => `${topic}.${name}`),
);

/** What implements one procedure, whichever it is. */
interface Implementer {
  handler(answer: (call: { input: unknown; context: CallOptions }) => unknown): unknown;
}

/**
 * The handlers of one topic: each procedure is answered by the method of its name. That the service
 * has them all, with these inputs and outputs, is its type (`ServiceFor`).
 */
export function handlersOf<Topic extends keyof Contract>(
  topic: Topic,
  service: ServiceFor<Topic>,
): Router<Contract[Topic], RpcContext> {
  const methods = service as Record<string, (input: unknown, options: CallOptions) => unknown>;
  const procedures = os[topic] as unknown as Record<string, Implementer>;
  return Object.fromEntries(
    Object.keys(contract[topic]).map((name) => [
      name,
      procedures[name]?.handler(({ input, context }) => {
        const answer = methods[name]?.(input, context);
        return isStream(answer) ? endWithReader(answer, context.signal) : answer;
      }),
    ]),
  ) as unknown as Router<Contract[Topic], RpcContext>;
}

/** The handlers of every procedure of the contract; a missing service does not compile. */
export function createRouter(services: Services): RpcRouter {
  const topics = Object.keys(contract) as (keyof Contract)[];
  return Object.fromEntries(
    topics.map((topic) => [topic, handlersOf(topic, services[topic])]),
  ) as RpcRouter;
}

export const createLocalClient = (services: Services, context: RpcContext): Client =>
  createRouterClient(createRouter(services), { context }) as unknown as Client;
