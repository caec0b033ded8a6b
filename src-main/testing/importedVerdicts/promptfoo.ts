import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { call, isEqual, played, textOf, type JudgedKind, type PlayedRun } from './judgedRuns.ts';

const file = (...asserts: JsonObject[]): JsonValue => ({
  prompts: ['{{query}}'],
  providers: [{ id: 'x', config: { mcp: { server: { name: 'todo' } } } }],
  tests: [{ vars: { query: 'Add a task.' }, metadata: { conversationId: 'a' }, assert: asserts }],
});
const used = (value: JsonValue): JsonObject => ({ type: 'trajectory:tool-used', value });
const match = (name: string, args: JsonObject): JsonObject => ({
  type: 'trajectory:tool-args-match',
  value: { name, args, mode: 'partial' },
});
const sequence = (...steps: string[]): JsonObject => ({
  type: 'trajectory:tool-sequence',
  value: { mode: 'in_order', steps },
});
const says = (text: string): JsonObject => ({ type: 'icontains', value: text });

/** Every assertion of the test holds. */
function judge(given: JsonValue, { calls, messages }: PlayedRun): boolean {
  const [test] = (given as unknown as { tests: { assert: JsonObject[] }[] }).tests;
  const count = (name: JsonValue | undefined) => calls.filter(({ tool }) => tool === name).length;
  const isMet = ({ type, value = null }: JsonObject): boolean => {
    const {
      name,
      min = 1,
      args = {},
      steps = [],
      max,
    } = (typeof value === 'object' && !Array.isArray(value) ? value : {}) as JsonObject;
    switch (type) {
      case 'trajectory:tool-used':
        return count(name ?? value) >= Number(min);
      case 'not-trajectory:tool-used':
        return count(value) === 0;
      case 'trajectory:tool-args-match':
        return calls.some(
          (made) =>
            made.tool === name &&
            Object.entries(args as JsonObject).every(([key, each]) =>
              isEqual(made.args[key], each),
            ),
        );
      case 'trajectory:tool-sequence': {
        let next = 0;
        for (const { tool } of calls) if (tool === (steps as string[])[next]) next += 1;
        return next === (steps as string[]).length;
      }
      case 'trajectory:step-count':
        return calls.length <= Number(max);
      default:
        return (messages.at(-1) ?? '').toLowerCase().includes(textOf(value).toLowerCase());
    }
  };
  return test?.assert.every(isMet) ?? false;
}

const add = (title: string) => call('add_task', { user_id: 'u-1', title });
const [list, complete] = [call('list_tasks'), call('complete_task')];

export const promptfoo: JudgedKind = {
  name: 'promptfoo (agents)',
  format: 'promptfoo',
  fileName: 'promptfooconfig.json',
  source: 'trajectory assertions in the documentation of promptfoo',
  executes: false,
  judge,
  runs: [
    { title: 'tool-used: called', file: file(used('add_task')), run: played([list, add('Milk')]) },
    {
      title: 'tool-used: too rarely',
      file: file(used({ name: 'add_task', min: 2 })),
      run: played([add('Milk')]),
    },
    {
      title: 'tool-used: often enough',
      file: file(used({ name: 'add_task', min: 2 })),
      run: played([add('Milk'), add('Tea')]),
    },
    {
      title: 'tool-args-match: the named argument',
      file: file(match('add_task', { title: 'Milk' })),
      run: played([add('Milk')]),
    },
    {
      title: 'tool-args-match: another value',
      file: file(match('add_task', { title: 'Milk' })),
      run: played([add('Tea')]),
    },
    {
      title: 'tool-sequence: in order with others',
      file: file(sequence('list_tasks', 'complete_task')),
      run: played([list, add('Milk'), complete]),
    },
    {
      title: 'tool-sequence: the other way round',
      file: file(sequence('list_tasks', 'complete_task')),
      run: played([complete, list]),
    },
    {
      title: 'not tool-used: called',
      file: file(used('add_task'), { type: 'not-trajectory:tool-used', value: 'delete_task' }),
      run: played([add('Milk'), call('delete_task')]),
    },
    {
      title: 'icontains and tool-used: not said',
      file: file(used('add_task'), says('milk')),
      run: played([add('Milk')], 'Done.'),
    },
    {
      title: 'step-count: no tool, and none was called',
      file: file({ type: 'trajectory:step-count', value: { type: 'tool', max: 0 } }, says('can’t')),
      run: played([], 'I can’t do that.'),
    },
  ],
};
