import { contract } from '../../src-shared/contract/index.ts';
import type { EvaluationEvent } from '../../src-shared/domain/evaluation.ts';
import type { ServiceFor } from '../services/contractTypes.ts';
import type { Services } from '../services/services.ts';

type SomeServices = {
  [Topic in keyof Services]?: Partial<
    Topic extends 'evaluations' ? ServiceFor<'cases'> : Services[Topic]
  >;
};
type AnyFunction = (...all: never[]) => unknown;

export interface RecordedServices {
  services: Services;
  /** `topic.name` of every procedure that was called. */
  calls: string[];
}

/**
 * Every procedure of the contract: the given ones, and stubs that record their calls for the rest.
 */
export function recordServices(given: SomeServices = {}): RecordedServices {
  const calls: string[] = [];
  const services = Object.fromEntries(
    Object.entries(contract).map(([topic, procedures]) => [
      topic,
      Object.fromEntries(
        Object.keys(procedures).map((name) => {
          const own = (given as Record<string, Record<string, AnyFunction> | undefined>)[topic]?.[
            name
          ];
          return [
            name,
            (...all: never[]): unknown => {
              calls.push(`${topic}.${name}`);
              if (own === undefined)
                throw new Error(`${topic}.${name} has no answer in this test.`);
              return own(...all);
            },
          ];
        }),
      ),
    ]),
  );
  const secretGuard = { redactValue: (value: unknown) => value };
  return { services: { ...services, secretGuard } as unknown as Services, calls };
}

export function plannedEvent(seq: number): EvaluationEvent {
  return { seq, at: '2026-01-02T03:04:05.678Z', type: 'planned', runs: seq };
}

export interface WatchedSource {
  source: AsyncIterableIterator<EvaluationEvent>;
  push: (event: EvaluationEvent) => void;
  /** Resolves when `return()` is called on the source. */
  returned: Promise<void>;
  /** Resolves when the source is asked for an item that it does not have yet. */
  waiting: Promise<void>;
}

/** A source that waits for its next event like a real one, and reports when it is closed. */
export function watchedSource(): WatchedSource {
  const queue: EvaluationEvent[] = [];
  const returned = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  let take: ((result: IteratorResult<EvaluationEvent, undefined>) => void) | null = null;
  return {
    returned: returned.promise,
    waiting: waiting.promise,
    push(event) {
      if (take === null) {
        queue.push(event);
        return;
      }
      take({ done: false, value: event });
      take = null;
    },
    source: {
      next() {
        const event = queue.shift();
        if (event !== undefined) return Promise.resolve({ done: false, value: event });
        waiting.resolve();
        return new Promise((resolve) => {
          take = resolve;
        });
      },
      return() {
        returned.resolve();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    },
  };
}
