import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandJson, evaluateTasks } from './commands.ts';
import { expect, takePicture, test, visit } from './fixtures.ts';

const rent = { server: 'todo', tool: 'add_task', arguments: { user_id: 'u-1', title: 'Pay rent' } };
const read = { server: 'todo', tool: 'list_tasks', arguments: { user_id: 'u-1' }, at: '/tasks' };
/** Tasks of which the built-in selector solves a part, for the pictures of the guide. */
const pictured = {
  version: 1,
  name: 'todo-tasks',
  servers: ['todo'],
  cases: [
    {
      name: 'Add, then complete',
      turns: ['Add a task "Buy milk" for user u-1.', 'Mark the task as completed.'],
      checks: [
        { state: { ...read, contains: { title: { $contains: 'milk' }, completed: true } } },
        { calls: { must: ['add_task', 'complete_task'], ordered: true, never: ['delete_task'] } },
      ],
    },
    {
      name: 'List the tasks',
      turns: ['List all tasks of user u-1.'],
      checks: [{ answer: { $contains: 'Pay rent' } }],
    },
    {
      name: 'Add one task',
      turns: ['Add a task "Water the plants" for user u-1.'],
      checks: [{ state: { ...read, contains: { title: 'Water the plants' } } }],
    },
    {
      name: 'Clean up what is done',
      turns: [
        'Add a task "Call the dentist" for user u-1.',
        'Complete the task.',
        'Clean up the list: what is done can go.',
      ],
      checks: [{ state: { ...read, excludes: { title: 'Call the dentist' } } }],
    },
    {
      name: 'Give up after two steps',
      turns: ['Add a task "Book a table" for user u-1.', 'List all tasks of user u-1.'],
      checks: [{ answer: { $contains: 'Book a table' } }],
      limits: { steps: 2 },
    },
  ].map((task, index) => ({ id: `task-${index + 1}`, setup: [rent], ...task })),
};

test(
  'leads with what failed and shows where runs differ',
  { tag: '@picture' },
  async ({ window, host }) => {
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-tasks-'));
    const file = join(folder, 'tasks.json');
    const of = (cases: object[]) => evaluateTasks(host, file, { ...pictured, cases }, 'full');
    const { taskEvaluation, taskRuns } = await of(pictured.cases);
    await commandJson(host, 'suite', 'import', file);
    const [, , , cleanUp] = pictured.cases;
    const other = await of([
      { ...cleanUp, turns: ['Add a task "Call the dentist" for user u-1.', 'Delete the task.'] },
    ]);
    await rm(folder, { recursive: true });

    await visit(window, `results/${taskEvaluation}`);
    await expect(window.getByRole('heading', { name: '3 of 5 tasks succeeded' })).toBeVisible();
    await expect(window.getByRole('region', { name: 'Failures by tool' })).toBeVisible();
    await takePicture(window, 'task-result');
    const run = `results/${taskEvaluation}/runs/${taskRuns[3] ?? ''}`;
    await visit(window, run);
    await expect(window.getByRole('region', { name: 'Checks' })).toBeVisible();
    await takePicture(window, 'task-run');
    await visit(window, `${run}?with=${other.taskEvaluation}/${other.taskRun}`);
    await expect(window.getByRole('region', { name: 'Trajectory' }).getByRole('status')).toHaveText(
      'Step 3 calls complete_task; the other run calls delete_task.',
    );
    await takePicture(window, 'task-compare');
    await visit(window, 'results/new?run=tasks');
    await window.getByRole('radio', { name: 'Full', exact: true }).check();
    await expect(window.getByRole('checkbox', { name: /^I agree/u })).toBeVisible();
    await takePicture(window, 'task-new');
  },
);
