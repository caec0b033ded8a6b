import type {
  AnySchema,
  ContractProcedure,
  ErrorMap,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
} from '@orpc/contract';
import type { UnitTopics } from '../../src-shared/contract/evaluations.ts';
import type { Contract } from '../../src-shared/contract/index.ts';

/** Passed to every call in addition to its input. */
export interface CallOptions {
  /** Aborted when the caller cancels, breaks out of a stream or is lost. */
  signal: AbortSignal;
}

/** Topics by name; the one of evaluations also as each unit answers it. */
interface Topics extends Contract {
  cases: UnitTopics['answered']['case'];
  tasks: UnitTopics['answered']['task'];
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
  Topic extends keyof Topics,
  Name extends keyof Topics[Topic],
> = unknown extends Schemas<Topics[Topic][Name]>['input']
  ? undefined
  : Schemas<Topics[Topic][Name]>['input'];

/** Result of a procedure's method; for a stream, one of its items. */
export type Output<Topic extends keyof Topics, Name extends keyof Topics[Topic]> =
  Schemas<Topics[Topic][Name]>['output'] extends AsyncIterator<infer Item, unknown, unknown>
    ? Item
    : Schemas<Topics[Topic][Name]>['output'];

type Answer<Topic extends keyof Topics, Name extends keyof Topics[Topic]> =
  Schemas<Topics[Topic][Name]>['output'] extends AsyncIterator<unknown, unknown, unknown>
    ? AsyncIterable<Output<Topic, Name>>
    : Promise<Output<Topic, Name>>;

/**
 * The methods that the service of a topic must have, one per procedure. A method may omit
 * parameters that it does not use.
 */
export type ServiceFor<Topic extends keyof Topics> = {
  [Name in keyof Topics[Topic]]: (
    input: Input<Topic, Name>,
    options: CallOptions,
  ) => Answer<Topic, Name>;
};

export type Methods<Topic extends keyof Topics, Service extends ServiceFor<Topic>> = Pick<
  Service,
  keyof Topics[Topic]
>;
