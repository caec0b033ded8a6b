import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { todoProgram } from '../../testing/todoProgram.ts';
import { serveTodoOverHttp } from './http.ts';

interface Answer {
  isError: boolean;
  structuredContent: Record<string, unknown>;
  content: unknown;
}
interface TodoClient extends AsyncDisposable {
  tools: { name: string; inputSchema: object; outputSchema?: object; annotations?: object }[];
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
}

const stdioCommand = (file: string) => ({
  command: process.execPath,
  args: [...todoProgram, file],
});
const clientInfo = { name: 'todo-test', version: '1' };

async function ready(
  client: ClientV1 | ClientV2,
  closeServer: () => Promise<void>,
): Promise<TodoClient> {
  // Listing first: clients that check structured content take the output schemas from here.
  const { tools } = await client.listTools();
  return {
    tools,
    async call(name, args) {
      const { isError, structuredContent, content } = (await client.callTool({
        name,
        ...(args && { arguments: args }),
      })) as Partial<Answer>;
      return { isError: isError ?? false, structuredContent: structuredContent ?? {}, content };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await closeServer();
    },
  };
}

const openers: Record<string, (file: string) => Promise<TodoClient>> = {
  async 'SDK v1 over stdio'(file) {
    const client = new ClientV1(clientInfo);
    await client.connect(new StdioV1(stdioCommand(file)));
    return ready(client, async () => undefined);
  },
  async 'SDK v2 over stdio'(file) {
    const client = new ClientV2(clientInfo);
    await client.connect(new StdioV2(stdioCommand(file)));
    return ready(client, async () => undefined);
  },
  async 'SDK v1 over HTTP'(file) {
    const server = await serveTodoOverHttp({ file, port: 0 });
    const client = new ClientV1(clientInfo);
    await client.connect(new HttpV1(new URL(server.url)));
    return ready(client, () => server.close());
  },
  async 'SDK v2 over HTTP'(file) {
    const server = await serveTodoOverHttp({ file, port: 0 });
    const client = new ClientV2(clientInfo);
    await client.connect(new HttpV2(new URL(server.url)));
    return ready(client, () => server.close());
  },
};

const failure = (code: string, message: string, details?: object) => {
  const structuredContent = { error: { code, message, ...(details && { details }) } };
  return {
    isError: true,
    structuredContent,
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  };
};
const authError = failure('AUTH_ERROR', 'Missing or invalid user_id: a non-empty string is needed');
const invalid = (field: string, constraint: string) =>
  failure('VALIDATION_ERROR', 'Invalid input data', { field, constraint });
const notFound = (id: number) => failure('NOT_FOUND', `Todo with id ${id} not found`);
const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);

describe.each(Object.keys(openers))('Todo server, called by %s', (kind) => {
  const open = openers[kind]!;

  test('adds, completes, updates, lists and deletes tasks', async () => {
    await using folder = await temporaryFolder();
    await using todo = await open(join(folder.path, 'todo.sqlite'));
    const milk = await todo.call('add_task', {
      user_id: 'ann',
      title: 'Buy milk',
      description: 'Two litres',
    });
    const task = {
      id: 1,
      title: 'Buy milk',
      description: 'Two litres',
      completed: false,
      user_id: 'ann',
      created_at: timestamp,
      updated_at: timestamp,
    };
    expect(milk.structuredContent).toEqual(task);
    expect(milk.isError).toBe(false);
    expect(milk.content).toEqual([{ type: 'text', text: JSON.stringify(milk.structuredContent) }]);
    expect(
      (await todo.call('add_task', { user_id: 'ann', title: 'Call Bob' })).structuredContent,
    ).toMatchObject({ id: 2, description: null });
    expect(
      (await todo.call('complete_task', { user_id: 'ann', task_id: 1 })).structuredContent,
    ).toEqual({ ...task, completed: true });
    expect(
      (await todo.call('complete_task', { user_id: 'ann', task_id: 1 })).structuredContent,
    ).toEqual(task);
    expect(
      (await todo.call('update_task', { user_id: 'ann', task_id: 1, title: 'Buy oat milk' }))
        .structuredContent,
    ).toEqual({ ...task, title: 'Buy oat milk' });
    const emptied = await todo.call('update_task', {
      user_id: 'ann',
      task_id: 1,
      description: '',
      title: null,
    });
    expect(emptied.structuredContent).toEqual({ ...task, title: 'Buy oat milk', description: '' });
    const list = await todo.call('list_tasks', { user_id: 'ann' });
    expect(list.structuredContent).toMatchObject({ count: 2, tasks: [{ id: 1 }, { id: 2 }] });
    expect(
      (await todo.call('delete_task', { user_id: 'ann', task_id: 1 })).structuredContent,
    ).toEqual({ success: true, message: 'Task 1 deleted successfully' });
    expect(await todo.call('delete_task', { user_id: 'ann', task_id: 1 })).toEqual(notFound(1));
    expect((await todo.call('list_tasks', { user_id: 'ann' })).structuredContent).toMatchObject({
      count: 1,
      tasks: [{ id: 2 }],
    });
  });

  test('rejects invalid arguments with an error that names the field', async () => {
    await using folder = await temporaryFolder();
    await using todo = await open(join(folder.path, 'todo.sqlite'));
    for (const user_id of [undefined, null, '', 7, ['ann'], { id: 'ann' }, '\ud800']) {
      // The title is wrong too, but the user is checked first.
      expect(await todo.call('add_task', { user_id, title: '' }), JSON.stringify(user_id)).toEqual(
        authError,
      );
    }
    for (const tool of todo.tools) expect(await todo.call(tool.name), tool.name).toEqual(authError);

    const ann = { user_id: 'ann' };
    expect(await todo.call('add_task', ann)).toEqual(invalid('title', 'is required'));
    expect(await todo.call('add_task', { ...ann, title: '' })).toEqual(
      invalid('title', 'must NOT have fewer than 1 characters'),
    );
    expect(await todo.call('add_task', { ...ann, title: 'x'.repeat(256) })).toEqual(
      invalid('title', 'must NOT have more than 255 characters'),
    );
    expect(await todo.call('add_task', { ...ann, title: 5 })).toEqual(
      invalid('title', 'must be string'),
    );
    expect(await todo.call('add_task', { ...ann, title: '\udc00' })).toEqual(
      invalid('title', 'must be well-formed Unicode'),
    );
    expect(
      await todo.call('add_task', { ...ann, title: 'x', description: 'y'.repeat(1001) }),
    ).toEqual(invalid('description', 'must NOT have more than 1000 characters'));
    expect(await todo.call('add_task', { ...ann, title: 'x', done: true })).toEqual(
      invalid('done', 'is not a field of this tool'),
    );
    expect(await todo.call('list_tasks', { ...ann, limit: 3 })).toEqual(
      invalid('limit', 'is not a field of this tool'),
    );
    for (const task_id of ['1', 1.5, true, [1], null])
      expect(await todo.call('complete_task', { ...ann, task_id })).toEqual(
        invalid('task_id', 'must be integer'),
      );
    for (const task_id of [0, -1])
      expect(await todo.call('delete_task', { ...ann, task_id })).toEqual(
        invalid('task_id', 'must be >= 1'),
      );
    expect(await todo.call('delete_task', ann)).toEqual(invalid('task_id', 'is required'));
    const nothing = invalid('title', 'at least one of title and description must be given');
    expect(await todo.call('update_task', { ...ann, task_id: 1 })).toEqual(nothing);
    expect(
      await todo.call('update_task', { ...ann, task_id: 1, title: null, description: null }),
    ).toEqual(nothing);
    expect(await todo.call('update_task', { ...ann, task_id: 1, completed: true })).toEqual(
      invalid('completed', 'is not a field of this tool'),
    );
    expect(await todo.call('update_task', { ...ann, task_id: 9, title: 'x' })).toEqual(notFound(9));
    expect((await todo.call('list_tasks', ann)).structuredContent).toEqual({ tasks: [], count: 0 });
    await expect(todo.call('drop_tables', ann)).rejects.toThrow(/Unknown tool: drop_tables/);
  });

  test('hides the tasks of one user from every other', async () => {
    await using folder = await temporaryFolder();
    await using todo = await open(join(folder.path, 'todo.sqlite'));
    const { id } = (await todo.call('add_task', { user_id: 'ann', title: 'secret' }))
      .structuredContent as { id: number };
    const bob = { user_id: 'bob', task_id: id };
    for (const [tool, more] of [
      ['update_task', { title: 'mine' }],
      ['complete_task', {}],
      ['delete_task', {}],
    ] as const) {
      expect(await todo.call(tool, { ...bob, ...more }), tool).toEqual(notFound(id));
    }
    expect((await todo.call('list_tasks', { user_id: 'bob' })).structuredContent).toEqual({
      tasks: [],
      count: 0,
    });
    for (const near of ['Ann', 'ann ', 'ann\0', "ann' OR '1'='1", 'ann%']) {
      expect((await todo.call('list_tasks', { user_id: near })).structuredContent, near).toEqual({
        tasks: [],
        count: 0,
      });
    }
    expect((await todo.call('list_tasks', { user_id: 'ann' })).structuredContent).toMatchObject({
      count: 1,
      tasks: [{ title: 'secret', completed: false }],
    });
  });

  test('stores any text unchanged and counts lengths in characters', async () => {
    await using folder = await temporaryFolder();
    await using todo = await open(join(folder.path, 'todo.sqlite'));
    const hostile = [
      "Robert'); DROP TABLE todos;--",
      '"quoted" \\ back',
      'a\0b',
      '\0',
      '👩‍👩‍👧‍👦',
      '\u202eabc',
      'line\nbreak\r\n\ttab',
      ' ',
      '__proto__',
      '😀'.repeat(255),
    ];
    for (const title of hostile) {
      const added = await todo.call('add_task', { user_id: title, title, description: title });
      expect(added.structuredContent, JSON.stringify(title)).toMatchObject({
        title,
        description: title,
        user_id: title,
      });
      expect((await todo.call('list_tasks', { user_id: title })).structuredContent).toEqual({
        tasks: [added.structuredContent],
        count: 1,
      });
    }
    expect(await todo.call('add_task', { user_id: 'ann', title: '😀'.repeat(256) })).toEqual(
      invalid('title', 'must NOT have more than 255 characters'),
    );
    const megabyte = 'm'.repeat(1024 * 1024);
    expect(await todo.call('add_task', { user_id: 'ann', title: megabyte })).toEqual(
      invalid('title', 'must NOT have more than 255 characters'),
    );
    expect((await todo.call('list_tasks', { user_id: megabyte })).structuredContent).toEqual({
      tasks: [],
      count: 0,
    });
  });

  test('answers 50 concurrent calls and gives each task its own id', async () => {
    await using folder = await temporaryFolder();
    await using todo = await open(join(folder.path, 'todo.sqlite'));
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        todo.call('add_task', { user_id: `user ${at % 2}`, title: `task ${at}` }),
      ),
    );
    expect(new Set(added.map(({ structuredContent }) => structuredContent['id'])).size).toBe(50);
    const { tasks } = (await todo.call('list_tasks', { user_id: 'user 1' })).structuredContent as {
      tasks: { id: number; title: string }[];
    };
    expect(tasks).toHaveLength(25);
    expect(tasks.map(({ id }) => id)).toEqual(tasks.map(({ id }) => id).sort((a, b) => a - b));
  });

  test('keeps tasks over a restart and never reuses an id', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'not yet there', 'todo.sqlite');
    {
      await using todo = await open(file);
      await todo.call('add_task', { user_id: 'ann', title: 'stays' });
      await todo.call('add_task', { user_id: 'ann', title: 'goes' });
      await todo.call('delete_task', { user_id: 'ann', task_id: 2 });
    }
    await using todo = await open(file);
    expect(
      (await todo.call('add_task', { user_id: 'ann', title: 'new' })).structuredContent,
    ).toMatchObject({ id: 3 });
    expect((await todo.call('list_tasks', { user_id: 'ann' })).structuredContent).toMatchObject({
      tasks: [{ id: 1, title: 'stays' }, { id: 3 }],
    });
  });

  test('publishes strict schemas and correct annotations', async () => {
    await using folder = await temporaryFolder();
    await using todo = await open(join(folder.path, 'todo.sqlite'));
    const ajv = new Ajv2020({ allowUnionTypes: true });
    for (const tool of todo.tools) {
      expect(tool.inputSchema).toMatchObject({
        type: 'object',
        additionalProperties: false,
        properties: { user_id: { type: 'string' } },
      });
      for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', '$ref'])
        expect(tool.inputSchema).not.toHaveProperty(keyword);
      expect(ajv.validateSchema(tool.inputSchema)).toBe(true);
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
    }
    const update = ajv.compile(todo.tools.find(({ name }) => name === 'update_task')!.inputSchema);
    expect(update({ user_id: 'ann', task_id: 1 })).toBe(false);
    expect(update({ user_id: 'ann', task_id: 1, description: 'x' })).toBe(true);
    const hints = Object.fromEntries(
      todo.tools.map(({ name, annotations }) => [name, annotations]),
    );
    expect(hints).toEqual({
      add_task: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      list_tasks: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      update_task: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
      complete_task: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      delete_task: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    });
  });
});
