import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract';
import type { Contract } from '../../src-shared/contract/index.ts';

/** What every call gives besides its input. */
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

/** What the method of a procedure is called with: parsed input. Undefined where there is none. */
export type Input<
  Topic extends keyof Contract,
  Name extends keyof Contract[Topic],
> = unknown extends Schemas<Contract[Topic][Name]>['input']
  ? undefined
  : Schemas<Contract[Topic][Name]>['input'];

/** What the method of a procedure answers; of a stream, one of its items. */
export type Output<Topic extends keyof Contract, Name extends keyof Contract[Topic]> =
  Schemas<Contract[Topic][Name]>['output'] extends AsyncIterator<infer Item, unknown, unknown>
    ? Item
    : Schemas<Contract[Topic][Name]>['output'];

type Answer<Topic extends keyof Contract, Name extends keyof Contract[Topic]> =
  Schemas<Contract[Topic][Name]>['output'] extends AsyncIterator<unknown, unknown, unknown>
    ? AsyncIterable<Output<Topic, Name>>
    : Promise<Output<Topic, Name>>;

/**
 * The methods that the service of a topic has: one for each procedure. A method may leave out the
 * parameters that it does not use.
 */
export type ServiceFor<Topic extends keyof Contract> = {
  [Name in keyof Contract[Topic]]: (
    input: Input<Topic, Name>,
    options: CallOptions,
  ) => Answer<Topic, Name>;
};
