import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  executionTransitions,
  executionStatuses,
  type ExecutionStatus,
} from '../../../src-shared/domain/toolExecution.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTestWorkshop, nodeTool, noSignal, toolOf } from '../../testing/workshop.ts';
import { createTool, executeTool } from './executions.fixture.ts';

afterEach(expectNoLeaks);

describe('recording executions', () => {
  it('records input, output, version, caller, trace, times and log', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(
      at,
      nodeTool(
        `let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => { console.error('hello from inside'); console.log(JSON.stringify({ got: JSON.parse(text) })); })`,
      ),
    );
    const done = await at.workshop.execute(
      {
        tool: 'echo_text',
        arguments: { text: 'ä "x"' },
        callerId: 'test',
        traceId: 'trace-1',
        activeOnly: false,
      },
      noSignal,
    );
    expect(done).toMatchObject({
      toolId: id,
      toolName: 'echo_text',
      version: 1,
      status: 'SUCCESS',
      inputData: { text: 'ä "x"' },
      outputData: { got: { text: 'ä "x"' } },
      errorCode: null,
      stderrTail: 'hello from inside',
      callerId: 'test',
      traceId: 'trace-1',
    });
    expect(done.durationMs).toBeGreaterThan(0);
    expect(
      [done.createdAt, done.startedAt, done.completedAt].every((moment) => moment !== null),
    ).toBe(true);
    const { rows, total } = await at.workshop.executions(
      {
        filter: { callerId: 'test', traceId: 'trace-1', status: ['SUCCESS'] },
        offset: 0,
        limit: 10,
      },
      noSignal,
    );
    expect([rows, total]).toEqual([[done], 1]);
    expect(
      (
        await at.workshop.executions(
          { filter: { status: ['FAILED'] }, offset: 0, limit: 10 },
          noSignal,
        )
      ).total,
    ).toBe(0);
    expect(await at.workshop.callers(undefined, noSignal)).toEqual(['test']);
  });

  it('records the version that ran', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, nodeTool('console.log(1)'));
    await at.workshop.save(
      { id, content: nodeTool('console.log(2)'), changelog: '', baseVersion: 1 },
      noSignal,
    );
    expect(await executeTool(at, id)).toMatchObject({ version: 2, outputData: 2 });
    expect(
      await at.workshop.execute(
        { tool: id, arguments: {}, version: 1, activeOnly: false },
        noSignal,
      ),
    ).toMatchObject({ version: 1, outputData: 1 });
    await expect(
      at.workshop.execute({ tool: id, arguments: {}, version: 3, activeOnly: false }, noSignal),
    ).rejects.toThrow('the latest is 2');
  });

  it('rejects a tool that is not active for models, and a disabled one for everyone', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, nodeTool('console.log(1)'));
    await expect(
      at.workshop.execute({ tool: id, arguments: {}, activeOnly: true }, noSignal),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    expect(
      await at.workshop.execute({ tool: id, arguments: {}, activeOnly: true }, noSignal),
    ).toMatchObject({ status: 'SUCCESS' });
    await at.workshop.setStatus({ id, status: 'DISABLED' }, noSignal);
    await expect(executeTool(at, id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('deletes executions older than the retention setting', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, nodeTool('console.log(1)'));
    const [old, young] = [await executeTool(at, id), await executeTool(at, id)];
    at.database.db
      .prepare("UPDATE tool_executions SET created_at = '2020-01-01T00:00:00.000Z' WHERE id = ?")
      .run(old.id);
    await at.workshop.updateSettings({ retentionDays: 1 }, noSignal);
    at.recover();
    expect(
      (await at.workshop.executions({ filter: {}, offset: 0, limit: 10 }, noSignal)).rows.map(
        (row) => row.id,
      ),
    ).toEqual([young.id]);
  });
});

describe('execution status', () => {
  const ways: Record<ExecutionStatus, ExecutionStatus[]> = {
    PENDING: [],
    RUNNING: ['RUNNING'],
    SUCCESS: ['RUNNING', 'SUCCESS'],
    FAILED: ['RUNNING', 'FAILED'],
    TIMEOUT: ['RUNNING', 'TIMEOUT'],
    CANCELLED: ['CANCELLED'],
  };
  it.each(
    executionStatuses.flatMap((from) =>
      executionStatuses.filter((to) => to !== 'PENDING').map((to) => [from, to] as const),
    ),
  )('%s → %s follows the transition table', async (from, to) => {
    await using at = createTestWorkshop();
    const toolId = await createTool(at, toolOf());
    const { toolExecutions } = at.database.store;
    const { id } = toolExecutions.insert({
      toolId,
      toolName: 'echo_text',
      version: 1,
      inputData: {},
      callerId: null,
      traceId: null,
    });
    const move = (status: ExecutionStatus) =>
      status === 'RUNNING'
        ? toolExecutions.begin(id)
        : toolExecutions.end(id, status, {
            outputData: null,
            errorCode: null,
            errorMessage: null,
            stderrTail: '',
            outputExcerpt: null,
            durationMs: null,
          });
    for (const status of ways[from]) move(status);
    if (executionTransitions[from].includes(to)) expect(move(to).status).toBe(to);
    else expect(() => move(to)).toThrow(ServiceError);
  });

  it('closes executions that a killed process left open', async () => {
    await using at = createTestWorkshop();
    const toolId = await createTool(at, toolOf());
    const { toolExecutions } = at.database.store;
    const [waiting, running] = [1, 2].map(() =>
      toolExecutions.insert({
        toolId,
        toolName: 'echo_text',
        version: 1,
        inputData: {},
        callerId: null,
        traceId: null,
      }),
    );
    toolExecutions.begin(running!.id);
    at.recover();
    expect([toolExecutions.get(waiting!.id), toolExecutions.get(running!.id)]).toMatchObject([
      { status: 'CANCELLED', errorCode: 'interrupted' },
      { status: 'FAILED', errorCode: 'interrupted' },
    ]);
  });
});
