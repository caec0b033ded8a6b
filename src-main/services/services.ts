import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract';
import type { Contract } from '../../src-shared/contract/index.ts';

export interface CallOptions {
  /** Aborted when the caller gives up, breaks out of a stream or is lost. */
  signal: AbortSignal;
}

/**
 * A stream in the contract is any async iterable in a service; everything else is a promise of what
 * the contract promises.
 */
type Answer<Output> = [Output] extends [AsyncIterator<infer Item, unknown, unknown>]
  ? AsyncIterable<Item>
  : Promise<Output>;
/**
 * A procedure without an input schema is called with undefined, and the router refuses anything
 * else.
 */
type Input<Value> = unknown extends Value ? undefined : Value;

type ServiceCall<Procedure> =
  Procedure extends ContractProcedure<
    infer In extends AnySchema,
    infer Out extends AnySchema,
    infer _Errors extends ErrorMap,
    infer _Meta extends Meta
  >
    ? (input: Input<InferSchemaOutput<In>>, options: CallOptions) => Answer<InferSchemaInput<Out>>
    : never;

/**
 * What every host opens: one function for each procedure of the contract, taking parsed input. A
 * service that lacks one does not compile.
 */
export type Services = {
  [Topic in keyof Contract]: {
    [Name in keyof Contract[Topic]]: ServiceCall<Contract[Topic][Name]>;
  };
};
