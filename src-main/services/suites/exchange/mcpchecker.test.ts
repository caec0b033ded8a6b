import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { read } from './shapes.fixture.ts';

describe('a task of mcpchecker', () => {
  const task = {
    kind: 'Task',
    metadata: { name: 'find-dune', difficulty: 'easy', labels: { suite: 'books' } },
    steps: {
      setup: { file: 'setup.sh' },
      verify: { contains: 'Dune is there' },
      prompt: { inline: 'Is Dune there?' },
    },
  };
  const newer = {
    kind: 'Task',
    apiVersion: 'mcpchecker/v1alpha2',
    metadata: { name: 'find-emma' },
    spec: {
      verify: [{ llmJudge: { exact: 'Yes' } }, { script: { file: './verify.sh' } }],
      prompt: { inline: 'Is Emma there?' },
    },
  };

  test.each([
    ['of its first version', task, 'The answer says all of this, in any words: Dune is there'],
    ['of its newer version', newer, 'The answer says this and nothing else, in any words: Yes'],
  ])('%s is judged by what its answer must say', (_version, file, judge) => {
    const found = read('task.yaml', stringify(file));
    expect(found.problems).toEqual([]);
    const program = { command: expect.arrayContaining(['./verify.sh']) as string[], timeout: 300 };
    expect(found.tasks).toMatchObject([
      { checks: [{ judge }, ...(file === newer ? [{ program }] : [])] },
    ]);
    expect(found.report.approximated.map(({ what }) => what)).toEqual(
      file === task ? ['setup'] : ['verify: script'],
    );
  });

  test('has the tools of the evaluation that names it', () => {
    const shelf = (tool: string) => ({ server: 'shelf', tool });
    const found = read(
      'eval.json',
      JSON.stringify({
        kind: 'Eval',
        metadata: { name: 'library' },
        config: {
          taskSets: [
            {
              path: 'tasks/a.yaml',
              assertions: {
                toolsUsed: [shelf('find_book'), { server: 'shelf', toolPattern: 'list_.*' }],
                toolsNotUsed: [shelf('renew_loan')],
                callOrder: [{ type: 'tool', server: 'shelf', name: 'find_book' }],
                maxToolCalls: 3,
              },
              tasks: [task],
            },
          ],
        },
      }),
    );
    expect(found.suite).toMatchObject({ name: 'library', servers: ['shelf'] });
    expect(found.tasks).toMatchObject([
      {
        id: 'find-dune',
        turns: ['Is Dune there?'],
        tags: ['easy', 'books'],
        checks: [
          { calls: { must: ['find_book'] } },
          { calls: { must: ['list_loans'] } },
          { calls: { must: ['find_book'] } },
          { calls: { never: ['renew_loan'] } },
          { calls: { total: { at_most: 3 } } },
          { judge: 'The answer says all of this, in any words: Dune is there' },
        ],
      },
    ]);
    expect(found.report.approximated.map(({ what }) => what)).toEqual(['setup']);
  });

  const scripted = { ...task, steps: { ...task.steps, verify: { file: 'verify.sh' } } };

  test('that only a script checks is checked by a program', () => {
    expect(read('task.yaml', stringify(scripted)).tasks).toMatchObject([
      { checks: [{ program: { timeout: 300 } }] },
    ]);
  });

  test('is in a file of its own, which its evaluation names', () => {
    const alone = {
      kind: 'Eval',
      metadata: { name: 'a' },
      config: { taskSets: [{ glob: 'tasks/*.yaml' }] },
    };
    expect(read('eval.yaml', stringify(alone)).problems).toEqual([
      'This is an evaluation of mcpchecker, not a suite. It says which tools are right, and its tasks say what is asked, in files of their own. Import those.',
    ]);
  });
});
