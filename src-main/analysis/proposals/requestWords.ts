import type { Tool } from '../../../src-shared/domain/tool.ts';

/** Verbs that begin tool names, with the article that their object takes in a request. */
const articles: Readonly<Record<string, 'a' | 'the'>> = Object.fromEntries([
  ...[
    'add',
    'append',
    'book',
    'compose',
    'create',
    'draft',
    'generate',
    'insert',
    'make',
    'new',
  ].map((verb) => [verb, 'a'] as const),
  ...['post', 'register', 'schedule', 'send', 'start', 'write'].map((verb) => [verb, 'a'] as const),
  ...['archive', 'assign', 'cancel', 'check', 'close', 'complete', 'convert', 'copy', 'count'].map(
    (verb) => [verb, 'the'] as const,
  ),
  ...['delete', 'describe', 'download', 'edit', 'export', 'fetch', 'find', 'finish', 'get'].map(
    (verb) => [verb, 'the'] as const,
  ),
  ...['import', 'list', 'load', 'lookup', 'mark', 'merge', 'move', 'open', 'print', 'query'].map(
    (verb) => [verb, 'the'] as const,
  ),
  ...['read', 'remove', 'rename', 'replace', 'restore', 'run', 'save', 'search', 'set'].map(
    (verb) => [verb, 'the'] as const,
  ),
  ...['share', 'show', 'sort', 'stop', 'sync', 'translate', 'update', 'upload', 'validate'].map(
    (verb) => [verb, 'the'] as const,
  ),
]);

/** The words of a name: `listTasks`, `list_tasks` and `list-tasks` are “list tasks”. */
export const wordsIn = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/**
 * What a person would ask for, from the name of a tool alone: its description must not become the
 * request. “add_task” is “add a task”, “list_tasks” is “list the tasks”; a name without a known verb
 * is “help me with …”.
 */
export function wishOf({ name }: Pick<Tool, 'name'>): string {
  const [verb = '', ...object] = wordsIn(name).split(' ');
  const article = articles[verb];
  if (article === undefined) return `help me with ${wordsIn(name)}`;
  if (object.length === 0) return `${verb} something`;
  const words = object.join(' ');
  const isPlural = /[^s]s$/.test(words);
  if (article === 'the' || isPlural)
    return `${verb} ${isPlural && article === 'a' ? '' : 'the '}${words}`.replace('  ', ' ');
  return `${verb} ${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

export const labelOf = (tool: Pick<Tool, 'name' | 'title'>): string =>
  (tool.title ?? wordsIn(tool.name)).slice(0, 80);
