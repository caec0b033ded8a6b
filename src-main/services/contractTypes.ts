import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract';
import type { Contract } from '../../src-shared/contract/index.ts';

/** Passed to every call in addition to its input. */
export interface CallOptions {
  /** Aborted when the caller cancels, breaks out of a stream or is lost. */
  signal: AbortSignal;
}

type Schemas<Procedure> =
  Procedure extends ContractProcedure<
    infer In extends AnySchema,
    infer Out extends AnySchema,
    infer _Errors extends ErrorMap,
    infer _Meta extends Meta
  >
    ? { input: InferSchemaOutput<In>; output: InferSchemaInput<Out> }
    : never;

/** Argument of a procedure's method: parsed input, or undefined if it takes none. */
export type Input<
  Topic extends keyof Contract,
  Name extends keyof Contract[Topic],
> = unknown extends Schemas<Contract[Topic][Name]>['input']
  ? undefined
  : Schemas<Contract[Topic][Name]>['input'];

/** Result of a procedure's method; for a stream, one of its items. */
export type Output<Topic extends keyof Contract, Name extends keyof Contract[Topic]> =
  Schemas<Contract[Topic][Name]>['output'] extends AsyncIterator<infer Item, unknown, unknown>
    ? Item
    : Schemas<Contract[Topic][Name]>['output'];

type Answer<Topic extends keyof Contract, Name extends keyof Contract[Topic]> =
  Schemas<Contract[Topic][Name]>['output'] extends AsyncIterator<unknown, unknown, unknown>
    ? AsyncIterable<Output<Topic, Name>>
    : Promise<Output<Topic, Name>>;

/**
 * The methods that the service of a topic must have, one per procedure. A method may omit
 * parameters that it does not use.
 */
export type ServiceFor<Topic extends keyof Contract> = {
  [Name in keyof Contract[Topic]]: (
    input: Input<Topic, Name>,
    options: CallOptions,
  ) => Answer<Topic, Name>;
};
