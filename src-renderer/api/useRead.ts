import {
  useQuery,
  type QueryKey,
  type SkipToken,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { type Queries, useApi } from './useApi.ts';

type Procedure<Input, Output> = (input: Input) => Promise<Output>;

/** A question of the contract, such as `(ask) => ask.suites.list`. */
type Question<Call> = (ask: Queries) => {
  call: Call;
  queryOptions: (options: never) => unknown;
};

type Given<Input> = undefined extends Input
  ? { input?: Input | SkipToken }
  : { input: Input | SkipToken };

type Asked<Input, Output, Data> = Given<Input> &
  Omit<UseQueryOptions<Output, Error, Data>, 'queryKey' | 'queryFn'> & { queryKey?: QueryKey };

/** What both units can be asked: of a case, of a task, and of either. */
interface OfUnits<Case, OfCase, Task, OfTask> {
  (input: Case): Promise<OfCase>;
  (input: Task): Promise<OfTask>;
  (input: never): Promise<unknown>;
}

/** Asks the core, and again when what is shown has changed. */
export function useRead<Output>(
  question: Question<Procedure<undefined, Output>>,
): UseQueryResult<Output>;
export function useRead<Input, Output, Task, OfTask, Data = Output>(
  question: Question<OfUnits<Input, Output, Task, OfTask>>,
  asked: Asked<Input, Output, Data>,
): UseQueryResult<Data>;
export function useRead<Input, Output, Case, OfCase, Data = Output>(
  question: Question<OfUnits<Case, OfCase, Input, Output>>,
  asked: Asked<Input, Output, Data>,
): UseQueryResult<Data>;
export function useRead<Input, Output, Data = Output>(
  question: Question<Procedure<Input, Output>>,
  asked: Asked<Input, Output, Data>,
): UseQueryResult<Data>;
export function useRead(question: Question<unknown>, asked: object = {}): UseQueryResult {
  return useQuery(question(useApi().queries).queryOptions(asked as never) as UseQueryOptions);
}
