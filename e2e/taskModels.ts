import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import { commandJson } from './commands.ts';
import type { LaunchedHost } from './launchLoopback.ts';

const models = ['gpt-5-mini', 'haiku-4.5'] as const;

/** A request, the tools that it needs in order, and what each of the two models calls. */
const tasks: readonly [request: string, needed: string[], first: string[], second: string[]][] = [
  [
    'Note the milk and tick it off',
    ['add_task', 'complete_task'],
    ['add_task'],
    ['add_task', 'complete_task'],
  ],
  ['Note the parcel and close it', ['add_task', 'complete_task'], ['add_task'], ['add_task']],
  [
    'Note the call with Dana and finish it',
    ['add_task', 'complete_task'],
    ['add_task'],
    ['add_task', 'complete_task'],
  ],
  ['Drop the old reminder', ['delete_task'], ['complete_task'], ['complete_task']],
  ['What is still open?', ['list_tasks'], [], ['list_tasks']],
  ['Note the invoice', ['add_task'], ['add_task'], ['add_task']],
  ['Note the meeting', ['add_task'], ['add_task'], ['add_task']],
  ['Show my list', ['list_tasks'], ['list_tasks'], ['list_tasks']],
];

/** Two models that answer as the table says. The caller stops it. */
export const startTaskModels = (): Promise<FakeModelServer> =>
  startFakeModelServer({
    models: [...models],
    rule: ({ query, body, results, toolNames }) => {
      const found = tasks.find(([text]) => text === query);
      const calls = (body['model'] === models[1] ? found?.[3] : found?.[2]) ?? [];
      const next = calls[results.length];
      return next === undefined
        ? { does: 'answer', text: 'It is done.' }
        : {
            does: 'answer',
            calls: [
              {
                name: toolNames.find((name) => name.endsWith(next)) ?? next,
                arguments: { user_id: 'u-1' },
              },
            ],
          };
    },
  });

/** Stores the tasks as a suite, and evaluates them with the first models of the table. */
export async function evaluateTaskModels(
  host: LaunchedHost,
  endpoint: FakeModelServer,
  folder: string,
  count: number = models.length,
): Promise<string> {
  const file = join(folder, 'todo-work.suite.json');
  await writeFile(
    file,
    JSON.stringify({
      version: 1,
      name: 'todo-work',
      servers: ['todo'],
      cases: tasks.map(([request, needed], at) => ({
        id: `t${at}`,
        name: request,
        turns: [request],
        checks: [{ calls: { must: needed, ordered: true } }],
        stub_results: [...new Set(tasks.flatMap(([, , ...both]) => both.flat()))].map((tool) => ({
          server: 'todo',
          tool,
          result: { id: 7 },
        })),
      })),
    }),
  );
  await host.command(['suite', 'import', file]);
  const { evaluation_id: id } = await commandJson<{ evaluation_id: string }>(
    host,
    ...['eval', '--suite', 'todo-work', '--only', 'tasks', '--execute', 'stub', '--quiet'],
    ...['--provider', 'openai-compatible', '--base-url', `${endpoint.origin}/v1`],
    ...['--model', ...models.slice(0, count)],
  );
  return id;
}
