import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { createTestWorkshop, nodeTool, noSignal, toolOf } from '../../testing/workshop.ts';
import { createTool, executeTool } from './executions.fixture.ts';

const script = `process.stdin.pipe(process.stdout)`;
const tool = (name: string, description: string) =>
  nodeTool(script, {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  });

describe('cases for a workshop tool', () => {
  it('expects the arguments of successful executions, each once and newest first', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, tool('get_forecast', 'Weather of the next days.'));
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    const calls: JsonObject[] = [
      { city: 'Oslo' },
      { city: 'Lima', days: 3 },
      { days: 3, city: 'Lima' },
    ];
    for (const args of calls)
      expect(await executeTool(at, id, args)).toMatchObject({ status: 'SUCCESS' });
    const failing = nodeTool('process.exit(1)', {
      ...tool('get_forecast', 'Fails.'),
      executorConfig: {
        command: process.execPath,
        args: ['-e', 'process.exit(1)'],
        output: 'json',
      },
    });
    await at.workshop.save({ id, content: failing, changelog: '', baseVersion: 1 }, noSignal);
    expect(await executeTool(at, id, { city: 'Nowhere' })).toMatchObject({ status: 'FAILED' });
    const proposed = await at.workshop.proposeCases({ id, kinds: [] }, noSignal);
    expect(proposed).toMatchObject({ server: 'workshop', madeBy: 'template' });
    expect(proposed.notes).toEqual(['Uses the arguments of 2 executions.']);
    expect(proposed.cases.map(({ content }) => [content.query, content.expectedCalls])).toEqual([
      ['', [{ server: 'workshop', tool: 'get_forecast', parameters: { days: 3, city: 'Lima' } }]],
      ['', [{ server: 'workshop', tool: 'get_forecast', parameters: { city: 'Oslo' } }]],
    ]);
    expect(at.database.store.servers.list()).toEqual([]);
    expect(at.database.store.suites.list()).toEqual([]);
  });

  it('proposes the kinds of suites among the active tools, for this tool alone', async () => {
    await using at = createTestWorkshop();
    const ids = [];
    for (const name of ['get_forecast', 'get_tides', 'a_draft']) {
      const id = await createTool(at, tool(name, `About ${name}.`));
      if (name !== 'a_draft') await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
      ids.push(id);
    }
    const [id = ''] = ids;
    const { cases, notes } = await at.workshop.proposeCases({ id }, noSignal);
    expect(cases.map(({ kind, basis }) => [kind, basis])).toEqual([
      ['right tool', 'workshop:get_forecast'],
      ['near neighbor', 'workshop:get_forecast and its neighbor workshop:get_tides'],
      ['no tool', 'workshop:get_forecast'],
    ]);
    expect(notes[0]).toContain('no successful executions yet');
  });

  it('leaves out arguments that held a secret', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, tool('get_forecast', 'Weather.'));
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    await executeTool(at, id, { city: '[redacted]' });
    expect((await at.workshop.proposeCases({ id, kinds: [] }, noSignal)).cases).toEqual([]);
  });

  it('refuses a tool that no model gets', async () => {
    await using at = createTestWorkshop();
    const id = await createTool(at, toolOf());
    await expect(at.workshop.proposeCases({ id }, noSignal)).rejects.toMatchObject({
      code: 'CONFLICT',
      data: { nextStep: 'Activate it, then propose cases.' },
    });
  });
});
