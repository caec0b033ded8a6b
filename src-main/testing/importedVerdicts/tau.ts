import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { call, isEqual, played, textOf, type JudgedKind, type PlayedRun } from './judgedRuns.ts';

const user = { user_id: 'u-1' };
const add = (title: string) => call('add_task', { ...user, title });
const rename = (id: number, title: string) => call('update_task', { ...user, task_id: id, title });
const complete = (id: number) => call('complete_task', { ...user, task_id: id });
const remove = (id: number) => call('delete_task', { ...user, task_id: id });
const list = call('list_tasks', user);

type Call = PlayedRun['calls'][number];
const kwargs = (...calls: Call[]) => calls.map(({ tool, args }) => ({ name: tool, kwargs: args }));
const actions = (...calls: Call[]) =>
  calls.map(({ tool, args }, at) => ({
    ...{ action_id: `a${at}`, requestor: 'assistant', name: tool, arguments: args },
  }));
/** A task of τ-bench. */
const first = (calls: Call[], outputs: string[] = []): JsonValue => [
  { user_id: 'u-1', instruction: 'You are Ada.', actions: kwargs(...calls), outputs },
];
/** A task of τ²-bench that begins with one open task. */
const second = (criteria: JsonObject): JsonValue => [
  {
    id: 'a',
    user_scenario: { instructions: 'You are Ada.' },
    initial_state: {
      initialization_actions: [
        { env_type: 'assistant', func_name: 'add_task', arguments: { ...user, title: 'Pay rent' } },
      ],
    },
    evaluation_criteria: criteria,
  },
];

interface Item {
  id: number;
  title: string;
  completed: boolean;
}
/** The data after calls of the Todo server, as far as these tasks use it. */
function dataAfter(calls: readonly Call[]): Item[] {
  let items: Item[] = [];
  let next = 1;
  for (const { tool, args } of calls) {
    const at = Number(args['task_id']);
    const title = textOf(args['title']);
    if (tool === 'add_task') items.push({ id: next++, title, completed: false });
    if (tool === 'delete_task') items = items.filter(({ id }) => id !== at);
    items = items.map((item) =>
      item.id !== at
        ? item
        : tool === 'update_task'
          ? { ...item, title }
          : tool === 'complete_task'
            ? { ...item, completed: !item.completed }
            : item,
    );
  }
  return items;
}

interface Action {
  name: string;
  arguments?: JsonObject;
  kwargs?: JsonObject;
  compare_args?: string[];
}
interface Task {
  actions?: Action[];
  outputs?: string[];
  initial_state?: { initialization_actions: { func_name: string; arguments: JsonObject }[] };
  evaluation_criteria?: {
    actions?: Action[];
    communicate_info?: string[];
    reward_basis?: string[];
  };
}

/** The product of what `reward_basis` names. */
function judge(file: JsonValue, { calls, messages }: PlayedRun): boolean {
  const [task] = file as unknown as Task[];
  const criteria = task?.evaluation_criteria ?? {
    actions: task?.actions ?? [],
    communicate_info: task?.outputs ?? [],
  };
  const basis = criteria.reward_basis ?? ['DB', 'COMMUNICATE'];
  const before = (task?.initial_state?.initialization_actions ?? []).map((one) =>
    call(one.func_name, one.arguments),
  );
  const golden = (criteria.actions ?? []).map(({ name, arguments: args, kwargs: given }) =>
    call(name, args ?? given),
  );
  const rewards: Record<string, () => boolean> = {
    DB: () =>
      isEqual(
        dataAfter([...before, ...golden]) as unknown as JsonValue,
        dataAfter([...before, ...calls]) as unknown as JsonValue,
      ),
    COMMUNICATE: () =>
      (criteria.communicate_info ?? []).every((info) =>
        messages.some((text) =>
          text.toLowerCase().replaceAll(',', '').includes(info.toLowerCase()),
        ),
      ),
    ACTION: () =>
      (criteria.actions ?? []).every(({ name, arguments: args = {}, compare_args: compared }) =>
        calls.some(
          (made) =>
            made.tool === name &&
            (compared ?? Object.keys(made.args)).every((key) => isEqual(made.args[key], args[key])),
        ),
      ),
  };
  return basis.every((part) => rewards[part]?.() ?? false);
}

export const tau: JudgedKind = {
  name: 'τ-bench, τ²-bench',
  format: 'tau-bench',
  fileName: 'tasks.json',
  source: 'src/tau2/evaluator and data_model/tasks.py of sierra-research/tau2-bench',
  executes: true,
  judge,
  runs: [
    {
      title: 'DB: the calls of the reference',
      file: first([add('Buy milk')]),
      run: played([add('Buy milk')]),
    },
    {
      title: 'DB: other calls to the same data',
      file: first([add('Buy milk')]),
      run: played([add('Buy mlk'), rename(1, 'Buy milk')]),
    },
    {
      title: 'DB: something else changed as well',
      file: first([add('Buy milk')]),
      run: played([add('Buy milk'), add('Buy tea')]),
    },
    {
      title: 'DB: nothing may change, and nothing did',
      file: second({ actions: actions(list), reward_basis: ['DB'] }),
      run: played([list], 'One task is open.'),
    },
    {
      title: 'DB: nothing may change, and a task was deleted',
      file: second({ actions: actions(list), reward_basis: ['DB'] }),
      run: played([list, remove(1)]),
    },
    {
      title: 'COMMUNICATE: in an earlier message, with a comma in the number',
      file: second({ communicate_info: ['1234'], reward_basis: ['COMMUNICATE'] }),
      run: played([list], 'It costs 1,234 euros.', 'Goodbye.'),
    },
    {
      title: 'COMMUNICATE: in no message',
      file: second({ communicate_info: ['1234'], reward_basis: ['COMMUNICATE'] }),
      run: played([list], 'It costs 1,243 euros.'),
    },
    {
      title: 'ACTION: only the compared argument counts',
      file: second({
        actions: [{ ...actions(complete(1))[0], compare_args: ['task_id'] }] as JsonValue,
        reward_basis: ['ACTION'],
      }),
      run: played([call('complete_task', { user_id: 'u-2', task_id: 1 })]),
    },
    {
      title: 'ACTION: another argument',
      file: second({ actions: actions(complete(1)), reward_basis: ['ACTION'] }),
      run: played([complete(2)]),
    },
    {
      title: 'DB and COMMUNICATE: said and not done',
      file: second({ actions: actions(complete(1)), communicate_info: ['completed'] }),
      run: played([list], 'I completed it.'),
    },
  ],
};
