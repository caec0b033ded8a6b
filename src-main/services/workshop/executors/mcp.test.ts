import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerConfig, StdioConfig } from '../../../../src-shared/domain/server.ts';
import type { ToolExecution } from '../../../../src-shared/domain/toolExecution.ts';
import { createConnector } from '../../../adapters/mcp/connect.ts';
import type { ConnectMcp } from '../../../adapters/mcp/mcpConnection.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { expectNoLeaks } from '../../../testing/leakCheck.ts';
import { temporaryFolder } from '../../../testing/temporaryFolder.ts';
import {
  createTestWorkshop,
  noSignal,
  toolOf,
  type TestWorkshop,
} from '../../../testing/workshop.ts';
import { workshopServer } from '../runTool.ts';

afterEach(expectNoLeaks);

const connect = createConnector();
const startWorkshop = (config: ServerConfig, through: ConnectMcp = connect): TestWorkshop => {
  const at = createTestWorkshop({ connect: through });
  at.database.store.servers.insert({ name: 'other', url: 'stdio:other', config });
  return at;
};
const todoIn = (folder: string): StdioConfig => ({
  transport: 'stdio',
  command: process.execPath,
  args: [programFiles.commandLine, 'serve-todo', '--stdio', '--db', join(folder, 'todo.sqlite')],
  cwd: null,
  env: {},
});
const anything = { type: 'object', properties: { text: {}, count: {}, left_out: {} } };
const runTool = async (
  at: TestWorkshop,
  executorConfig: JsonObject,
  args: JsonObject = {},
  change: Record<string, unknown> = {},
): Promise<ToolExecution> => {
  const content = toolOf({
    executorType: 'mcp',
    scriptContent: null,
    inputSchema: anything,
    executorConfig: { server: 'other', ...executorConfig },
    ...change,
  });
  const { id } = await at.workshop.create({ content, categoryId: null, changelog: '' }, noSignal);
  return at.workshop.execute({ tool: id, arguments: args, activeOnly: false }, noSignal);
};

describe('a tool of a registered server', () => {
  it('fills the argument template with typed values and returns the result', async () => {
    await using folder = await temporaryFolder();
    await using at = startWorkshop(todoIn(folder.path));
    const added = await runTool(
      at,
      {
        tool: 'add_task',
        arguments: {
          user_id: 'me',
          title: 'Buy {{count}} × {{text}}',
          description: '{{left_out}}',
        },
      },
      { text: '"milk" {{count}}', count: 2 },
      { name: 'remember' },
    );
    expect(added).toMatchObject({
      status: 'SUCCESS',
      toolName: 'remember',
      outputData: { title: 'Buy 2 × "milk" {{count}}' },
    });
    const { id } = added.outputData as { id: number };
    const renamed = await runTool(
      at,
      {
        tool: 'update_task',
        arguments: { user_id: 'me', task_id: '{{count}}', title: '{{text}}' },
      },
      { count: id, text: 'Cheese' },
      { name: 'rename_it' },
    );
    expect(renamed).toMatchObject({ status: 'SUCCESS', outputData: { id, title: 'Cheese' } });
    // The same arguments as they came, where no template is given.
    const listed = await runTool(
      at,
      { tool: 'list_tasks' },
      { user_id: 'me' },
      {
        name: 'list_them',
        inputSchema: { type: 'object', properties: { user_id: { type: 'string' } } },
      },
    );
    expect(listed.status).toBe('SUCCESS');
    expect(JSON.stringify(listed.outputData)).toContain('Cheese');
  });

  it('fails when the tool returns an error, and when the tool or the server is missing', async () => {
    await using folder = await temporaryFolder();
    await using at = startWorkshop(todoIn(folder.path));
    expect(
      await runTool(at, { tool: 'add_task' }, { text: 'x' }, { name: 'no_user' }),
    ).toMatchObject({
      status: 'FAILED',
      errorCode: 'tool_error',
      outputData: null,
      errorMessage: expect.stringContaining('AUTH_ERROR') as string,
    });
    expect(await runTool(at, { tool: 'no_such_tool' }, {}, { name: 'missing' })).toMatchObject({
      status: 'FAILED',
      errorCode: expect.stringMatching(/^(server|tool_error)$/) as string,
      errorMessage: expect.stringContaining('no_such_tool') as string,
    });
    expect(
      await runTool(at, { server: 'nowhere', tool: 'x' }, {}, { name: 'homeless' }),
    ).toMatchObject({
      status: 'FAILED',
      errorCode: 'server',
      errorMessage: expect.stringContaining('"nowhere"') as string,
    });
    expect(
      await runTool(
        at,
        { tool: 'add_task', arguments: { title: 'about {{text}}' } },
        {},
        { name: 'lacking' },
      ),
    ).toMatchObject({
      status: 'FAILED',
      errorCode: 'template',
      errorMessage: expect.stringContaining('"text"') as string,
    });
  });

  it('fails when the result breaks the output schema', async () => {
    await using at = startWorkshop(fakeStdioServer());
    const outputSchema = {
      type: 'object',
      properties: { echoed: { const: true } },
      required: ['echoed'],
    };
    expect(await runTool(at, { tool: 'echo' }, { text: 'x' }, { outputSchema })).toMatchObject({
      status: 'SUCCESS',
      outputData: { echoed: true },
    });
    expect(
      await runTool(
        at,
        { tool: 'echo' },
        {},
        { name: 'stricter', outputSchema: { ...outputSchema, required: ['more'] } },
      ),
    ).toMatchObject({ status: 'FAILED', errorCode: 'output', outputExcerpt: '{"echoed":true}' });
  });

  it('refuses to call the workshop that it belongs to', async () => {
    await using at = startWorkshop({ ...workshopServer, args: [...workshopServer.args] });
    expect(await runTool(at, { tool: 'echo_text' })).toMatchObject({
      status: 'FAILED',
      errorCode: 'policy',
      errorMessage: expect.stringContaining('call itself') as string,
    });
  });

  it.each([
    ['that does not start', 'exit-at-start', 'server', /config\.json: no such file|other/],
    ['that ends at the call', 'exit-at-call', 'server', /other/],
    ['that crashes at the call', 'crash-at-call', 'server', /other/],
    ['that answers with 50 MB', 'answer-50mb', 'server', /other|larger/],
  ] as const)('fails with a reason for a server %s', async (_what, mode, code, message) => {
    await using at = startWorkshop(fakeStdioServer(mode));
    const done = await runTool(at, { tool: 'echo' });
    expect(done).toMatchObject({ status: 'FAILED', errorCode: code, outputData: null });
    expect(done.errorMessage).toMatch(message);
  });

  it('T56: times out when the server never answers', async () => {
    await using at = startWorkshop(fakeStdioServer('silent-call'));
    expect(await runTool(at, { tool: 'echo', timeout: 1 })).toMatchObject({
      status: 'TIMEOUT',
      errorCode: 'timeout',
      errorMessage: 'It timed out after 1 s: the server other did not answer.',
    });
  });

  it('T59: cancels without waiting for the server', async () => {
    const called = Promise.withResolvers<void>();
    await using at = startWorkshop(fakeStdioServer('silent-call'), async (server, signal) => {
      const connection = await connect(server, signal);
      const callTool = connection.callTool.bind(connection);
      connection.callTool = (...given) => {
        called.resolve();
        return callTool(...given);
      };
      return connection;
    });
    const { id } = await at.workshop.create(
      {
        content: toolOf({
          executorType: 'mcp',
          scriptContent: null,
          executorConfig: { server: 'other', tool: 'echo' },
        }),
        categoryId: null,
        changelog: '',
      },
      noSignal,
    );
    const started = await at.workshop.start(
      { tool: id, arguments: {}, activeOnly: false },
      noSignal,
    );
    await called.promise;
    expect(await at.workshop.cancel({ id: started.id }, noSignal)).toMatchObject({
      status: 'CANCELLED',
      errorCode: 'cancelled',
    });
  });
});
