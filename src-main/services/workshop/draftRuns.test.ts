import { afterEach, describe, expect, it } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import {
  createTestWorkshop,
  nodeTool,
  noSignal,
  type TestWorkshop,
} from '../../testing/workshop.ts';
import type { ToolContent } from '../../../src-shared/domain/workshop.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { countRows, createTool, refusal } from './workshopService.fixture.ts';

afterEach(expectNoLeaks);

const runDraft = async (
  at: TestWorkshop,
  content: ToolContent,
  args: JsonObject = {},
  toolId: string | null = null,
) => {
  const { id } = await at.workshop.startDraft({ content, toolId, arguments: args }, noSignal);
  return at.workshop.wait({ id }, noSignal);
};
const sum = nodeTool(
  `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => console.log(JSON.parse(text).n + 1))`,
  {
    name: 'sum_up',
    inputSchema: {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 }, m: { type: 'string' } },
      required: ['n'],
    },
  },
);

describe('runs of drafts', () => {
  it('run a new tool without creating it, and record the execution without a version', async () => {
    await using at = createTestWorkshop();
    expect(await runDraft(at, sum, { n: 6 })).toMatchObject({
      status: 'SUCCESS',
      outputData: 7,
      toolId: null,
      toolName: 'sum_up',
      version: null,
    });
    expect([countRows(at, 'tools'), countRows(at, 'tool_versions')]).toEqual([0, 0]);
    expect(await at.workshop.executions({}, noSignal)).toMatchObject({ total: 1 });
  });

  it('belong to the tool that the draft would change, and leave its version as it is', async () => {
    await using at = createTestWorkshop();
    const { id } = await createTool(at, { name: 'kept' });
    expect(await runDraft(at, { ...sum, name: 'kept' }, { n: 1 }, id)).toMatchObject({
      toolId: id,
      version: null,
      outputData: 2,
    });
    expect(await at.workshop.get({ id }, noSignal)).toMatchObject({ version: 1 });
    const { rows } = await at.workshop.executions({ filter: { toolId: id } }, noSignal);
    expect(rows.map(({ version }) => version)).toEqual([null]);
    await at.workshop.remove({ id }, noSignal);
    await at.workshop.purge({ id }, noSignal);
    expect(countRows(at, 'tool_executions')).toBe(0);
  });

  it('are refused with one line per problem of the arguments, and per problem of the content', async () => {
    await using at = createTestWorkshop();
    const wrong = await refusal(runDraft(at, sum, { n: 0, m: 1 }));
    expect([wrong.code, wrong.cause.split('\n').sort()]).toEqual([
      'INVALID',
      ['/m must be string', '/n must be >= 1'].map(
        (start) => expect.stringContaining(start) as string,
      ),
    ]);
    const broken = await refusal(
      runDraft(at, { ...sum, inputSchema: { type: 'object', properties: { a: { type: 'x' } } } }),
    );
    expect([broken.code, broken.field]).toEqual([
      'INVALID',
      expect.stringContaining('inputSchema'),
    ]);
    expect(countRows(at, 'tool_executions')).toBe(0);
  });

  it('are refused while a new tool declares a secret, which has no value before it is created', async () => {
    await using at = createTestWorkshop();
    const content = nodeTool('console.log(1)', {
      executorConfig: { command: process.execPath, args: ['-e', '1'], secrets: ['API_KEY'] },
    });
    expect(await refusal(runDraft(at, content))).toMatchObject({
      code: 'INVALID',
      field: 'secrets.API_KEY',
      nextStep: expect.stringContaining('Create the tool') as string,
    });
    expect(countRows(at, 'tool_executions')).toBe(0);
  });

  it('obey the time limit of the draft, and are refused for a disabled tool', async () => {
    await using at = createTestWorkshop();
    const args = ['-e', 'setInterval(() => {}, 1000)'];
    const executorConfig = { command: process.execPath, args, timeout: 1 };
    expect(await runDraft(at, nodeTool('', { executorConfig }))).toMatchObject({
      status: 'TIMEOUT',
      errorCode: 'timeout',
    });
    const { id } = await createTool(at, { name: 'off' });
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    await at.workshop.setStatus({ id, status: 'DISABLED' }, noSignal);
    expect(await refusal(runDraft(at, sum, { n: 1 }, id))).toMatchObject({ code: 'CONFLICT' });
  });
});
