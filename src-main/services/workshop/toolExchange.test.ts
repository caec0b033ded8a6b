import { describe, expect, it } from 'vitest';
import { createTestWorkshop, noSignal } from '../../testing/workshop.ts';
import { createTool, refusal, countRows } from './workshopService.fixture.ts';

describe('import and export', () => {
  it('round-trips a tool and adds no version when nothing changed', async () => {
    await using at = createTestWorkshop();
    const above = await at.workshop.createCategory(
      { name: 'text', description: null, parentId: null },
      noSignal,
    );
    const below = await at.workshop.createCategory(
      { name: 'echoes', description: null, parentId: above.id },
      noSignal,
    );
    const { id, content } = await createTool(at, {
      tags: ['a'],
      outputSchema: { type: 'object' },
      scriptContent: '#!/bin/sh\ncat\n',
    });
    await at.workshop.setCategory({ id, categoryId: below.id }, noSignal);
    const { files } = await at.workshop.export({ ids: null }, noSignal);
    expect(files.map(({ path }) => path)).toEqual(['echo_text.tool.json', 'echo_text.sh']);
    expect(await at.workshop.import({ files, changelog: '' }, noSignal)).toMatchObject({
      tools: [{ act: 'same', version: 1 }],
    });
    await using other = createTestWorkshop();
    const { tools } = await other.workshop.import({ files, changelog: '' }, noSignal);
    expect(tools).toMatchObject([{ act: 'create', version: 1 }]);
    expect((await other.workshop.getByName({ name: 'echo_text' }, noSignal)).content).toEqual(
      content,
    );
    expect((await other.workshop.export({ ids: null }, noSignal)).files).toEqual(files);
  });

  it('reads a tool without an executor as a python tool', async () => {
    await using at = createTestWorkshop();
    const files = [
      {
        path: 'a.tool.json',
        text: JSON.stringify({ touchstone_tool: 1, name: 'a', description: 'x', script: 'a.py' }),
      },
      { path: 'a.py', text: 'print("{}")\n' },
    ];
    await at.workshop.import({ files, changelog: '' }, noSignal);
    expect((await at.workshop.getByName({ name: 'a' }, noSignal)).content).toMatchObject({
      executorType: 'python',
      scriptContent: 'print("{}")\n',
    });
  });

  it.each([
    ['broken JSON', [{ path: 'a.tool.json', text: '{\n  "name": }' }], /not JSON/],
    [
      'a missing script',
      [
        {
          path: 'a.tool.json',
          text: JSON.stringify({
            touchstone_tool: 1,
            name: 'a',
            description: 'x',
            executor_type: 'python',
            script: 'a.py',
          }),
        },
      ],
      /is missing/,
    ],
    [
      'a script outside the folder',
      [
        {
          path: 'a.tool.json',
          text: JSON.stringify({
            touchstone_tool: 1,
            name: 'a',
            description: 'x',
            executor_type: 'python',
            script: '../a.py',
          }),
        },
        { path: '../a.py', text: '1' },
      ],
      /the name of a file next to/,
    ],
    [
      'an unknown field',
      [
        {
          path: 'a.tool.json',
          text: JSON.stringify({
            touchstone_tool: 1,
            name: 'a',
            description: 'x',
            executor_type: 'mcp',
            status: 'ACTIVE',
          }),
        },
      ],
      /status/,
    ],
    [
      'a duplicate name',
      ['a', 'b'].map((name) => ({
        path: `${name}.tool.json`,
        text: JSON.stringify({
          touchstone_tool: 1,
          name: 'same',
          description: 'x',
          executor_type: 'shell',
          executor_config: { command: 'true' },
        }),
      })),
      /as well/,
    ],
    ['files without a tool', [{ path: 'a.py', text: '1' }], /no tool among/],
  ])('T64: imports nothing because of %s', async (_what, files, reason) => {
    await using at = createTestWorkshop();
    const good = {
      path: 'good.tool.json',
      text: JSON.stringify({
        touchstone_tool: 1,
        name: 'good',
        description: 'x',
        executor_type: 'shell',
        executor_config: { command: 'true' },
      }),
    };
    const all = files[0]?.path.endsWith('.py') === true ? files : [good, ...files];
    const { problems } = await at.workshop.previewImport({ files: all }, noSignal);
    expect(problems.map(({ message }) => message).join(' ')).toMatch(reason);
    expect(
      await refusal(at.workshop.import({ files: all, changelog: '' }, noSignal)),
    ).toMatchObject({ code: 'INVALID', field: 'files' });
    expect(countRows(at, 'tools')).toBe(0);
  });
});
