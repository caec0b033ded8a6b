import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { ReadOptions } from './caseExchange.ts';
import { unreadChanges } from './fieldNames.ts';
import { shortName, type Change, type SuiteDraft } from './suiteDraft.ts';
import { nonEmptyText, textsOf } from './values.ts';

/*
 * Tasks of MCPMark (https://github.com/eval-sys/mcpmark, docs/datasets/task.md): a folder with what is
 * asked (description.md), facts about it (meta.json) and a script whose exit code decides
 * (verify.py). `readMarkTask` of the command line puts the three into one object.
 */

/** The fields that the command line adds to those of meta.json. */
interface JoinedTask {
  instruction: JsonValue | undefined;
  verify: JsonValue | undefined;
}

export const isMarkTask = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) &&
  typeof value['task_id'] === 'string' &&
  typeof value['category_id'] === 'string' &&
  Array.isArray(value['mcp']);

/** Adds the task of a file, or those of a folder. False: it is no such file. */
export function addMcpmark(
  draft: SuiteDraft,
  value: JsonValue,
  { server }: Pick<ReadOptions, 'server'>,
): boolean {
  const tasks = Array.isArray(value) ? value : [value];
  if (tasks.length === 0 || !tasks.every(isMarkTask)) return false;
  for (const task of tasks) addTask(draft, task, server);
  return true;
}

/** What the tasks of a service need that isn't in their folders. */
const needs: Readonly<Record<string, string>> = {
  github: 'an account of GitHub',
  notion: 'an account of Notion',
  supabase: 'an account of Supabase',
  insforge: 'an account of InsForge',
  postgres: 'a database server with the data of the benchmark',
  playwright: 'the messages in a file of the benchmark',
  playwright_webarena: 'web sites in containers of the benchmark',
};

/** What a verifying script may take there. */
const verifySeconds = 300;

function addTask(draft: SuiteDraft, task: JsonObject, server: string | null): void {
  const where = { line: 1, column: 1 };
  const { instruction, verify } = task as unknown as JoinedTask;
  const id = nonEmptyText(task['task_id']) ?? 'task';
  const name = nonEmptyText(task['task_name']) ?? id;
  const services = textsOf(task['mcp']);
  const [service = ''] = services;
  if (services.length !== 1 || service !== 'filesystem') {
    const need = services.flatMap((each) => needs[each] ?? []).join(' and ');
    return draft.skip(
      name,
      `It needs ${need === '' ? 'another service than files' : need} (${services.join(', ')}).`,
      where,
    );
  }
  const asked = nonEmptyText(instruction);
  if (asked === null)
    return draft.skip(
      name,
      'Its request is in description.md next to it, and this file alone doesn’t say it. Import its folder.',
      where,
    );
  const script = nonEmptyText(verify);
  if (script === null)
    return draft.skip(name, 'It has no verify.py, so nothing says whether it succeeds.', where);
  const changes: Change[] = unreadChanges(task, readFields);
  const archive = archiveOf(task['meta_data']);
  const inside = archive === null ? '' : `/${archive.replace(/\.zip$/u, '')}`;
  if (archive !== null)
    changes.push({
      what: 'state',
      why: `Nothing is downloaded. Put ${archive} next to the suite: each run starts with what it holds, in the folder ${inside.slice(1)}. The server must see {{run_dir}}.`,
    });
  changes.push({
    what: 'verify.py',
    why: 'It becomes a program, which starts only if you allow it. It needs python3 and its packages: without one, every run fails.',
  });
  changes.push({
    what: 'description.md',
    why: 'There, a sentence after it asks to solve the task without asking back. It isn’t added.',
  });
  draft.addTask({
    sourceId: id,
    name: shortName(name),
    turns: [asked.trim()],
    tags: [
      ...new Set([
        ...[task['category_id'], task['difficulty']].flatMap((each) => textsOf(each)),
        ...textsOf(task['tags']),
      ]),
    ],
    servers: [server ?? service],
    ...(archive !== null && { files: [{ from: archive }] }),
    checks: [
      {
        program: {
          command: ['env', `FILESYSTEM_TEST_DIR={{run_dir}}${inside}`, 'python3', script],
          timeout: verifySeconds,
          exit_code: true,
        },
      },
    ],
    changes,
    where,
  });
}

const readFields = [
  ...['task_id', 'task_name', 'category_id', 'category_name', 'description', 'author'],
  ...['created_at', 'difficulty', 'tags', 'mcp', 'meta_data', 'instruction', 'verify'],
];

/** The archive with what a run finds, as its address names it; null if there is none. */
function archiveOf(state: JsonValue | undefined): string | null {
  const address = isJsonObject(state ?? null) ? (state as JsonObject)['stateUrl'] : undefined;
  return /([\w.-]+\.zip)$/u.exec(nonEmptyText(address) ?? '')?.[1] ?? null;
}
