import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { copiedText } from './copiedText.ts';
import { exampleArguments } from './exampleValues.ts';
import { proposeCases } from './proposeCases.ts';
import { wishOf } from './requestWords.ts';

const tool = (name: string, description: string, inputSchema: JsonObject = {}): Tool => ({
  server: 's',
  name,
  title: null,
  description,
  inputSchema: { type: 'object', ...inputSchema },
  outputSchema: null,
  annotations: null,
});

describe('what a request asks for', () => {
  it.each([
    ['add_task', 'add a task'],
    ['createEvent', 'create an event'],
    ['list-tasks', 'list the tasks'],
    ['add_observations', 'add observations'],
    ['search', 'search something'],
    ['sequentialthinking', 'help me with sequentialthinking'],
  ])('of %s is "%s"', (name, wish) => {
    expect(wishOf({ name })).toBe(wish);
  });
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
      parameters: { title: 'Garden plan', priority: 'low', count: 2, due_date: '2027-03-01' },
      words: ' with title “Garden plan”, priority “low”, count 2 and due date “2027-03-01”',
    });
  });

  it('differ from case to case and stay within the bounds', () => {
    const made = [0, 1, 2, 3].map((index) => exampleArguments(schema, index).parameters);
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

  it('ask by the name of the tool, and never by its description', () => {
    const made = proposeCases(tools);
    expect(made.map(({ kind, query }) => [kind, query])).toEqual([
      ['right tool', 'Please list the tasks.'],
      ['near neighbor', 'Please list the tasks. Don’t complete the task.'],
      [
        'no tool',
        'In general, when would somebody want to list the tasks? Just explain, don’t do it.',
      ],
      ['right tool', 'Can you complete the task with id “k-204”?'],
      ['near neighbor', 'Can you complete the task with id “x91”? Don’t list the tasks.'],
      [
        'no tool',
        'In general, when would somebody want to complete the task? Just explain, don’t do it.',
      ],
    ]);
  });

  it('are only of the chosen kinds', () => {
    expect(proposeCases(tools, ['no tool']).every(({ calls }) => calls.length === 0)).toBe(true);
  });

  it('say which words a request copies from the description of its tool', () => {
    const echo = tool('list_tasks_of_a_user', 'Can list the tasks of a user.');
    expect(proposeCases([echo, tools[1]!], ['right tool']).map(({ copied }) => copied)).toEqual([
      'list the tasks of a',
      null,
    ]);
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
