import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../src-main/testing/fakeModelServer/start.ts';
import type { FinishedEvaluation } from './commands.ts';
import type { LaunchedHost } from './launchLoopback.ts';

/** 47 tools of 5 servers. */
const servers: Record<string, readonly string[]> = {
  calendar: [
    ...['accept_event', 'create_event', 'decline_event', 'delete_event', 'find_free_time'],
    ...['get_event', 'list_calendars', 'list_events', 'update_event'],
  ],
  files: [
    ...['copy_file', 'create_folder', 'delete_file', 'get_metadata', 'list_folder', 'move_file'],
    ...['read_file', 'rename_file', 'search_content', 'search_files', 'share_file', 'write_file'],
  ],
  github: [
    ...['add_label', 'close_issue', 'comment_issue', 'create_branch', 'create_issue'],
    ...['create_pull', 'get_file', 'get_issue', 'list_issues', 'list_pulls', 'merge_pull'],
    'search_code',
  ],
  mail: [
    ...['archive_message', 'create_draft', 'delete_message', 'get_message', 'list_folders'],
    ...['mark_read', 'search_messages', 'send_message'],
  ],
  todo: ['add_task', 'complete_task', 'delete_task', 'list_lists', 'list_tasks', 'update_task'],
};

export const officeModels = ['haiku-4.5', 'gpt-5-mini'] as const;
type Called = string | null;

/** A request, the expected tool, and what each of the two models calls; null for no tool. */
const cases: readonly [query: string, expected: Called, first: Called, second: Called][] = [
  [
    'Find the slides Maria shared',
    'files:search_files',
    'mail:search_messages',
    'mail:search_messages',
  ],
  [
    'Where is the Acme contract?',
    'files:search_files',
    'mail:search_messages',
    'mail:search_messages',
  ],
  [
    'What does the README of billing-api say?',
    'github:get_file',
    'files:read_file',
    'files:read_file',
  ],
  ['Show the deploy script', 'github:get_file', 'github:get_file', 'files:read_file'],
  ['Note the Safari login bug', 'github:create_issue', 'todo:add_task', 'todo:add_task'],
  [
    'Which files mention the Q3 budget?',
    'files:search_content',
    'files:search_files',
    'files:search_files',
  ],
  ['Move my 3 PM with Dana to Thursday', 'calendar:update_event', null, 'calendar:create_event'],
  [
    'When are Priya and I both free?',
    'calendar:find_free_time',
    'calendar:find_free_time',
    'calendar:list_events',
  ],
  ['Remind me to send the offer at 9', 'todo:add_task', 'todo:add_task', 'calendar:create_event'],
  ['Send the minutes to Dana', 'mail:send_message', 'mail:send_message', 'mail:send_message'],
  ['Thanks, that’s everything', null, null, 'todo:list_tasks'],
  ['Archive last year’s invoices', 'files:move_file', 'files:archive_folder', 'files:move_file'],
  ['What is on my list today?', 'todo:list_tasks', 'todo:list_tasks', 'todo:list_tasks'],
  [
    'Accept the invitation from Lee',
    'calendar:accept_event',
    'calendar:accept_event',
    'calendar:accept_event',
  ],
];

/** The request whose recipient the second model gets wrong. */
const minutes = 'Send the minutes to Dana';
const recipient = { type: 'object', properties: { to: { type: 'string' } } };

/** Two models that answer as the table says. The caller stops it. */
export function startOfficeModels(): Promise<FakeModelServer> {
  return startFakeModelServer({
    models: [...officeModels],
    rule: ({ query, body, toolNames }) => {
      const found = cases.find(([text]) => text === query);
      const second = body['model'] === officeModels[1];
      const called = (second ? found?.[3] : found?.[2]) ?? null;
      if (called === null) return { does: 'answer', text: 'You’re welcome.' };
      const sent: Record<string, string> =
        query === minutes ? { to: second ? 'team' : 'dana' } : {};
      const tool = called.slice(called.indexOf(':') + 1);
      return {
        does: 'answer',
        calls: [
          {
            name: toolNames.find((name) => name.endsWith(tool)) ?? tool,
            arguments: sent,
          },
        ],
      };
    },
  });
}

/** Evaluates the 14 requests with both models on all 47 tools. */
export async function evaluateOffice(
  host: LaunchedHost,
  models: FakeModelServer,
  folder: string,
): Promise<FinishedEvaluation> {
  const [tools, suite] = [join(folder, 'tools.json'), join(folder, 'office-tools.suite.json')];
  await writeFile(
    tools,
    JSON.stringify({
      tools: Object.entries(servers).flatMap(([server, names]) =>
        names.map((name) => ({
          server,
          name,
          description: `Does ${name.replace('_', ' ')}.`,
          input_schema: name === 'send_message' ? recipient : { type: 'object' },
        })),
      ),
    }),
  );
  await writeFile(
    suite,
    JSON.stringify({
      version: 1,
      name: 'office-tools',
      servers: Object.keys(servers),
      cases: cases.map(([query, expected], at) => ({
        id: `c${at}`,
        name: query,
        query,
        expected_calls:
          expected === null
            ? []
            : [
                {
                  server: expected.split(':')[0],
                  tool: expected.split(':')[1],
                  ...(query === minutes ? { parameters: { to: 'dana' } } : {}),
                },
              ],
      })),
    }),
  );
  // A stored suite, because an evaluation on nothing but files is not kept.
  await host.command(['suite', 'import', suite]);
  const { stdout, stderr } = await host.command([
    'eval',
    ...['--suite', 'office-tools', '--tools', tools],
    ...['--provider', 'openai-compatible', '--base-url', `${models.origin}/v1`],
    ...['--model', ...officeModels],
    '--json',
    '--quiet',
  ]);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as FinishedEvaluation;
}
