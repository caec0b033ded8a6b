import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { copiedText } from './copiedText.ts';
import { exampleArguments } from './exampleValues.ts';
import { proposeCases } from './proposeCases.ts';

const tool = (name: string, description: string, inputSchema: JsonObject = {}): Tool => ({
  server: 's',
  name,
  title: null,
  description,
  inputSchema: { type: 'object', ...inputSchema },
  outputSchema: null,
  annotations: null,
});

describe('example arguments', () => {
  const schema = {
    required: ['title', 'priority', 'count', 'due_date', 'parts'],
    properties: {
      title: { type: 'string' },
      priority: { enum: ['low', 'high'] },
      count: { type: 'integer', minimum: 1, maximum: 3 },
      due_date: { type: 'string', format: 'date' },
      parts: { type: 'array' },
    },
  };

  it('fit name and type, and leave to the schema what a sentence cannot hold', () => {
    expect(exampleArguments(schema, 0)).toEqual({
      ...{ title: 'Garden plan', priority: 'low', count: 2, due_date: '2027-03-01' },
    });
  });

  it('differ from case to case and stay within the bounds', () => {
    const made = [0, 1, 2, 3].map((index) => exampleArguments(schema, index));
    expect(new Set(made.map(({ title }) => title)).size).toBe(4);
    for (const { count } of made) expect([1, 2, 3]).toContain(count);
  });
});

describe('a request that copies the description', () => {
  it('is found by five consecutive words, whatever their case and punctuation', () => {
    const description = 'Adds a new task to the list of a user.';
    expect(copiedText('Please, add: A NEW task, to the list!', description)).toBe(
      'a new task to the',
    );
    expect(copiedText('Add a task to my list', description)).toBeNull();
  });

  it('is not found in a description of fewer than five words', () => {
    expect(copiedText('Please create a note with title “x”.', 'Create a note.')).toBeNull();
  });
});

describe('proposed cases', () => {
  const tools = [
    tool('list_tasks', 'Lists the tasks of a user, newest first.'),
    tool('complete_task', 'Marks a task as done.', {
      required: ['id'],
      properties: { id: { type: 'string' } },
    }),
  ];

  it('say what a request is to be written for, and hold no request', () => {
    expect(proposeCases(tools).map(({ kind, name, calls }) => [kind, name, calls])).toEqual([
      ['right tool', 'list tasks', [{ server: 's', tool: 'list_tasks', parameters: {} }]],
      [
        'near neighbor',
        'list tasks, not complete task',
        [{ server: 's', tool: 'list_tasks', parameters: {} }],
      ],
      ['no tool', 'list tasks: only a question', []],
      [
        'right tool',
        'complete task',
        [{ server: 's', tool: 'complete_task', parameters: { id: 'k-204' } }],
      ],
      [
        'near neighbor',
        'complete task, not list tasks',
        [{ server: 's', tool: 'complete_task', parameters: { id: 'x91' } }],
      ],
      ['no tool', 'complete task: only a question', []],
    ]);
  });

  it('are only of the chosen kinds', () => {
    expect(proposeCases(tools, ['no tool']).every(({ calls }) => calls.length === 0)).toBe(true);
  });

  it('rule out a tool that is listed, but not proposed for', () => {
    expect(proposeCases([tools[0]!], ['near neighbor'], tools)).toMatchObject([
      { name: 'list tasks, not complete task' },
    ]);
  });

  it('have no neighbor where there is one tool', () => {
    expect(proposeCases([tools[0]!], ['near neighbor'])).toEqual([]);
  });
});
