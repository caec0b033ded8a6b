import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { call, isEqual, played, textOf, type JudgedKind, type PlayedRun } from './judgedRuns.ts';

const file = (checks: JsonObject[], more: JsonObject = {}): JsonValue => ({
  schemaVersion: '1',
  suite: { name: 'todo' },
  target: { servers: [{ name: 'todo' }] },
  cases: [
    {
      id: 'a',
      title: 'A',
      steps: [
        { kind: 'prompt', prompt: 'Add a task.' },
        { kind: 'prompt', prompt: 'Complete it.' },
      ],
      checks,
      ...more,
    },
  ],
});
const calledWith = (toolName: string, args: JsonObject, minCount = 1): JsonObject => ({
  ...{ type: 'toolCalledWith', toolName, minCount },
  args: { args, argumentMatching: 'partial' },
});

/** Every check holds; a negative test expects no call. */
function judge(given: JsonValue, { calls, messages }: PlayedRun): boolean {
  const [one] = (
    given as unknown as { cases: { checks: JsonObject[]; isNegativeTest?: boolean }[] }
  ).cases;
  const count = (tool: JsonValue | undefined) => calls.filter((made) => made.tool === tool).length;
  const isMet = (check: JsonObject): boolean => {
    const { toolName, needle, minCount = 1 } = check;
    switch (check['type']) {
      case 'toolCalledWith': {
        const { args } = check['args'] as { args: JsonObject };
        const fitting = calls.filter(
          (made) =>
            made.tool === toolName &&
            Object.entries(args).every(([name, value]) => isEqual(made.args[name], value)),
        );
        return fitting.length >= Number(minCount);
      }
      case 'toolCalledAtLeastOnce':
        return count(toolName) > 0;
      case 'toolNeverCalled':
        return count(toolName) === 0;
      default:
        return (messages.at(-1) ?? '').toLowerCase().includes(textOf(needle).toLowerCase());
    }
  };
  return one?.isNegativeTest === true ? calls.length === 0 : (one?.checks.every(isMet) ?? false);
}

const add = (title: string) => call('add_task', { user_id: 'u-1', title });
const once = (toolName: string): JsonObject => ({ type: 'toolCalledAtLeastOnce', toolName });
const never = (toolName: string): JsonObject => ({ type: 'toolNeverCalled', toolName });
const says = (needle: string): JsonObject => ({ type: 'responseContains', needle });

export const mcpjam: JudgedKind = {
  name: 'MCPJam',
  format: 'mcpjam',
  fileName: 'suite.json',
  source: 'suite file, schema version 1, of MCPJam/inspector',
  executes: false,
  judge,
  runs: [
    {
      title: 'toolCalledWith: further arguments are fine',
      file: file([calledWith('add_task', { title: 'Milk' })]),
      run: played([add('Milk')]),
    },
    {
      title: 'toolCalledWith: another value',
      file: file([calledWith('add_task', { title: 'Milk' })]),
      run: played([add('Tea')]),
    },
    {
      title: 'toolCalledWith: one call meets two checks',
      file: file([
        calledWith('add_task', { title: 'Milk' }),
        calledWith('add_task', { user_id: 'u-1' }),
      ]),
      run: played([add('Milk')]),
    },
    {
      title: 'toolCalledWith: twice, and it was made once',
      file: file([calledWith('add_task', { user_id: 'u-1' }, 2)]),
      run: played([add('Milk')]),
    },
    {
      title: 'toolCalledWith: twice',
      file: file([calledWith('add_task', { user_id: 'u-1' }, 2)]),
      run: played([add('Milk'), add('Tea')]),
    },
    {
      title: 'toolCalledAtLeastOnce: never',
      file: file([once('complete_task'), once('add_task')]),
      run: played([add('Milk')]),
    },
    {
      title: 'toolNeverCalled: called',
      file: file([once('add_task'), never('delete_task')]),
      run: played([add('Milk'), call('delete_task')]),
    },
    {
      title: 'responseContains: in the last message',
      file: file([says('done')]),
      run: played([add('Milk')], 'Added.', 'It is Done.'),
    },
    {
      title: 'responseContains: only in an earlier message',
      file: file([says('added')]),
      run: played([add('Milk')], 'Added.', 'It is done.'),
    },
    {
      title: 'isNegativeTest: a tool was called',
      file: file([], { isNegativeTest: true }),
      run: played([call('list_tasks')]),
    },
  ],
};
