import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advice } from '../../../src-shared/domain/advice.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { advise, type AdvisedFailure } from './advise.ts';
import { purposeOf } from './purpose.ts';

const tool = (
  name: string,
  description: string,
  properties: JsonObject = {},
  server = 'todo',
): AnalysedTool => ({ server, name, description, inputSchema: { type: 'object', properties } });

const add = tool('add_task', 'Adds a new task to a user’s todo list. The answer is the new task.', {
  due: { type: 'string' },
});
const update = tool('update_task', 'Change an existing task.');
const tools = [add, update];
const failure = (over: Partial<AdvisedFailure>): AdvisedFailure => ({
  query: 'Add a note to task 3',
  values: '',
  expected: 'todo:update_task',
  called: 'todo:add_task',
  wrongArguments: [],
  ...over,
});
const inserted = (found: ReturnType<typeof advise>) =>
  found.flatMap(({ edits }) =>
    edits.map((edit) => (edit.type === 'text' ? edit.inserted : edit.type)),
  );

describe('advice after failures', () => {
  it('adds a boundary between texts that say no more than their names', () => {
    const lists = tool('list_tasks', 'Lists the tasks.');
    const adds = tool('add_task', 'Adds a task.');
    const failures = [failure({ expected: 'todo:add_task', called: 'todo:list_tasks' })];
    expect(inserted(advise({ tools: [lists, adds], failures }))).toContain(
      'To add a task, use add_task instead.',
    );
    const astray = tool('list_tasks', 'Performs the requested operation.');
    expect(inserted(advise({ tools: [astray, adds], failures }))).not.toContain(
      'To add a task, use add_task instead.',
    );
  });

  it('adds the boundary to the tool that was called', () => {
    const [piece] = advise({ tools, failures: [failure({})] });
    expect(piece).toMatchObject({ kind: 'boundary', edits: [{ toolId: 'todo:add_task' }] });
    expect(inserted(piece ? [piece] : [])).toEqual([
      'To change an existing task, use update_task instead.',
    ]);
  });

  it('names words of several failing requests that the text lacks, whatever was called', () => {
    const missed = ['Remember a birthday', 'Please remember the calls', 'Schedule the milk'].map(
      (query, at) =>
        failure({
          query,
          values: '{"title":"milk"}',
          expected: 'todo:add_task',
          called: at === 0 ? null : 'todo:update_task',
        }),
    );
    const named = (failures: typeof missed) =>
      advise({ tools, failures }).filter(({ kind }) => kind === 'missing_words');
    expect(named(missed)).toEqual([
      {
        kind: 'missing_words',
        toolIds: ['todo:add_task'],
        edits: [{ type: 'write', toolId: 'todo:add_task' }],
        why: 'Failing requests say “remember”; the description doesn’t.',
        evidence: { requests: missed.map(({ query }) => query), words: ['remember'] },
      },
    ]);
    // Of one request, only what it wants done may be its wording.
    expect(named(missed.slice(2))).toMatchObject([{ evidence: { words: ['schedule'] } }]);
  });

  it('names no word that is no more than what a whole server is about', () => {
    const sift = tool('sift', 'Sifts what was kept.');
    const missed = ['Sift the threads or the essays', 'Sift essays and threads'].map((query) =>
      failure({ query, expected: 'todo:sift', called: null }),
    );
    const said = (others: AnalysedTool[]) =>
      advise({ tools: [sift, ...others], failures: missed }).flatMap(
        ({ evidence }) => evidence.words,
      );
    expect(said(tools)).toEqual(['threads', 'essays']);
    const threads = tools.map((each) => ({
      ...each,
      description: `${each.description} Says the thread.`,
    }));
    expect(said(threads)).toEqual(['essays']);
  });

  it('describes a bare parameter with the expected value, and leaves an explained one alone', () => {
    const wrong = failure({
      expected: 'todo:add_task',
      wrongArguments: [{ name: 'due', expected: '2026-05-04' }],
    });
    expect(inserted(advise({ tools, failures: [wrong] }))).toEqual([
      'Date as YYYY-MM-DD, for example "2026-05-04".',
    ]);
    const explained = tool('add_task', add.description, {
      due: { type: 'string', description: 'Date, e.g. 2026-01-01' },
    });
    expect(advise({ tools: [explained], failures: [wrong] })).toEqual([]);
  });

  it('says when a tool is meant that was called without need', () => {
    const unneeded = failure({ expected: null });
    expect(inserted(advise({ tools, failures: [unneeded] }))).toEqual([
      'Use it only when someone asks to add a new task to a user’s todo list.',
    ]);
  });

  it('says nothing about a call of a tool that was never offered', () => {
    expect(advise({ tools, failures: [failure({ expected: null, called: '(phantom)' })] })).toEqual(
      [],
    );
  });
});

describe('advice about pairs', () => {
  const pair = [{ a: 0, b: 1 }];

  it('prefixes the same name on two servers in the style of each name', () => {
    const found = advise({
      tools: [
        tool('list-tasks', 'List tasks.', {}, 'notion'),
        tool('list_tasks', 'List tasks.', {}, 'todo'),
      ],
      pairs: pair,
    });
    expect(inserted(found)).toEqual(['notion-list-tasks', 'todo_list_tasks']);
  });

  it('is silent about look-alike names and tools with an open signal', () => {
    const twin = tool('dеlete_task', 'Delete a task.'); // with a Cyrillic е
    const honest = tool('delete_task', 'Remove a task forever.');
    expect(advise({ tools: [honest, twin], pairs: pair })).toEqual([]);
    expect(
      advise({ tools, failures: [failure({})], openSignals: new Set(['todo:update_task']) }),
    ).toEqual([]);
  });

  it('sends nobody to a deprecated tool or to another server', () => {
    const list = tool('list_tasks', 'List all tasks.');
    const old = tool('get_task', 'Get one single task. DEPRECATED: Use fetch_task.');
    expect(advise({ tools: [list, old], pairs: pair })).toEqual([]);
    const foreign = tool('get_task', 'Get one single task.', {}, 'notion');
    expect(advise({ tools: [list, foreign], pairs: pair })).toEqual([]);
  });

  it('reads names with a hyphen', () => {
    const found = advise({
      tools: [tool('get-task', 'Get one single task.'), tool('list-tasks', 'List all tasks.')],
      pairs: pair,
    });
    expect(inserted(found)).toEqual([
      'To list all tasks, use list-tasks instead.',
      'To get one single task, use get-task instead.',
    ]);
  });

  it('does not repeat a boundary that a description has', () => {
    const told = tool('get_task', 'Get one task. To list several tasks, use list_tasks.');
    const list = tool('list_tasks', 'List all tasks. Use get_task for one.');
    expect(advise({ tools: [told, list], pairs: pair })).toEqual([]);
  });
});

it('reads a purpose only from a sentence that starts with a known verb', () => {
  expect(purposeOf('Permanently gone. Deletes it.')).toBeNull();
  expect(purposeOf('Deletes a task from the list.')).toBe('delete a task from the list');
  expect(purposeOf('Reads a file and writes it.')).toBeNull();
  expect(purposeOf('任务列表')).toBeNull();
});

it('keeps the old text and inserts one line for any description', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, two) => {
      const found = advise({
        tools: [tool('get_task', `Get ${one}`), tool('list_tasks', `List ${two}`)],
        pairs: [{ a: 0, b: 1 }],
        failures: [failure({ expected: 'todo:get_task', called: 'todo:list_tasks' })],
      });
      for (const piece of found) {
        advice.parse(piece);
        for (const edit of piece.edits) {
          if (edit.type !== 'text') continue;
          expect(edit.newText).toContain(edit.inserted);
          if (piece.kind === 'exchange') continue;
          expect(edit.newText.startsWith(edit.oldText.split('\n\n')[0]?.trimEnd() ?? '')).toBe(
            true,
          );
          expect(edit.inserted).not.toMatch(/[\n`*]/u);
        }
      }
    }),
  );
});
