import {
  useQuery,
  type QueryKey,
  type SkipToken,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';

type Procedure<Input, Output> = (input: Input) => Promise<Output>;

/** A question of the contract, such as `queries.suites.list`. */
interface Question<Call> {
  call: Call;
  queryOptions: (options: never) => unknown;
}

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
export function useRead<Output>(of: Question<Procedure<undefined, Output>>): UseQueryResult<Output>;
export function useRead<Input, Output, Task, OfTask, Data = Output>(
  of: Question<OfUnits<Input, Output, Task, OfTask>>,
  asked: Asked<Input, Output, Data>,
): UseQueryResult<Data>;
export function useRead<Input, Output, Case, OfCase, Data = Output>(
  of: Question<OfUnits<Case, OfCase, Input, Output>>,
  asked: Asked<Input, Output, Data>,
): UseQueryResult<Data>;
export function useRead<Input, Output, Data = Output>(
  of: Question<Procedure<Input, Output>>,
  asked: Asked<Input, Output, Data>,
): UseQueryResult<Data>;
export function useRead(of: Question<unknown>, asked: object = {}): UseQueryResult {
  return useQuery(of.queryOptions(asked as never) as UseQueryOptions);
}
