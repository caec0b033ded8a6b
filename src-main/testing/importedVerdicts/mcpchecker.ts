import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { call, isEqual, played, textOf, type JudgedKind, type PlayedRun } from './judgedRuns.ts';

const file = (assertions: JsonObject): JsonValue => ({
  kind: 'Eval',
  metadata: { name: 'todo' },
  config: {
    taskSets: [
      {
        assertions,
        tasks: [{ kind: 'Task', metadata: { name: 'a' }, spec: { prompt: { inline: 'Do it.' } } }],
      },
    ],
  },
});
const tool = (name: string): JsonObject => ({ server: 'todo', tool: name });
const pattern = (text: string): JsonObject => ({ server: 'todo', toolPattern: text });
const step = (name: string): JsonObject => ({ type: 'tool', server: 'todo', name });

interface Assertions {
  toolsUsed?: JsonObject[];
  requireAny?: JsonObject[];
  toolsNotUsed?: JsonObject[];
  callOrder?: { name: string }[];
  minToolCalls?: number;
  maxToolCalls?: number;
  noDuplicateCalls?: boolean;
}

/** Every assertion that is there holds. */
function judge(given: JsonValue, { calls }: PlayedRun): boolean {
  const { assertions } = (
    given as unknown as { config: { taskSets: { assertions: Assertions }[] } }
  ).config.taskSets[0] ?? { assertions: {} };
  const isMet = (assertion: JsonObject): boolean =>
    calls.some(({ tool: name }) =>
      typeof assertion['tool'] === 'string'
        ? name === assertion['tool']
        : new RegExp(textOf(assertion['toolPattern'])).test(name),
    );
  let next = 0;
  const order = assertions.callOrder ?? [];
  for (const { tool: name } of calls) if (name === order[next]?.name) next += 1;
  const isRepeated = calls.some((one, at) =>
    calls.slice(0, at).some((before) => before.tool === one.tool && isEqual(before.args, one.args)),
  );
  return (
    (assertions.toolsUsed ?? []).every(isMet) &&
    (assertions.requireAny === undefined || assertions.requireAny.some(isMet)) &&
    !(assertions.toolsNotUsed ?? []).some(isMet) &&
    next === order.length &&
    calls.length >= (assertions.minToolCalls ?? 0) &&
    calls.length <= (assertions.maxToolCalls ?? Infinity) &&
    !(assertions.noDuplicateCalls === true && isRepeated)
  );
}

const [add, list, complete] = [call('add_task'), call('list_tasks'), call('complete_task')];

export const mcpchecker: JudgedKind = {
  name: 'mcpchecker (gevals)',
  format: 'jsonl',
  fileName: 'eval.json',
  source: 'docs/how-to/use-assertions.md and pkg/eval/assert.go of mcpchecker/mcpchecker',
  executes: false,
  judge,
  runs: [
    {
      title: 'toolsUsed: one call meets two assertions',
      file: file({ toolsUsed: [tool('add_task'), pattern('^add_')] }),
      run: played([add]),
    },
    {
      title: 'toolsUsed: one is never called',
      file: file({ toolsUsed: [tool('add_task'), tool('list_tasks')] }),
      run: played([add]),
    },
    {
      title: 'toolsUsed: a pattern that no call matches',
      file: file({ toolsUsed: [pattern('_task$')] }),
      run: played([list]),
    },
    {
      title: 'requireAny: the second one',
      file: file({ requireAny: [tool('add_task'), tool('list_tasks')] }),
      run: played([list]),
    },
    {
      title: 'toolsNotUsed: a pattern',
      file: file({ toolsNotUsed: [pattern('^(delete|update)_')] }),
      run: played([list, call('delete_task')]),
    },
    {
      title: 'callOrder: with another call in between',
      file: file({ callOrder: [step('add_task'), step('complete_task')] }),
      run: played([add, list, complete]),
    },
    {
      title: 'callOrder: the other way round',
      file: file({ callOrder: [step('add_task'), step('complete_task')] }),
      run: played([complete, add]),
    },
    {
      title: 'maxToolCalls: one too many',
      file: file({ maxToolCalls: 2 }),
      run: played([add, list, complete]),
    },
    {
      title: 'minToolCalls: too few',
      file: file({ minToolCalls: 2, maxToolCalls: 5 }),
      run: played([add]),
    },
    {
      title: 'noDuplicateCalls: again with the same arguments',
      file: file({ noDuplicateCalls: true, toolsUsed: [tool('list_tasks')] }),
      run: played([list, add, list]),
    },
  ],
};
