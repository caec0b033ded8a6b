import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestWorkshop, noSignal } from '../../testing/workshop.ts';
import { createTool, refusal } from './workshopService.fixture.ts';

describe('versions', () => {
  it('are gapless with one latest after any sequence of saves and restores', async () => {
    await using at = createTestWorkshop();
    let count = 0;
    const step = fc.oneof(
      fc.record({
        save: fc.string({ minLength: 1, maxLength: 30 }).filter((text) => text.trim() !== ''),
      }),
      fc.record({ restore: fc.nat({ max: 20 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const made = await createTool(at, { name: `tool_${(count += 1)}` });
        const expected = [made.content];
        for (const one of steps) {
          if ('save' in one) {
            const content = { ...made.content, description: one.save.trim() };
            await at.workshop.save(
              { id: made.id, content, changelog: 'x', baseVersion: expected.length },
              noSignal,
            );
            expected.push(content);
          } else {
            const version = (one.restore % expected.length) + 1;
            await at.workshop.restore({ id: made.id, version }, noSignal);
            expected.push(expected[version - 1]!);
          }
        }
        const versions = await at.workshop.versions({ id: made.id }, noSignal);
        expect(versions.map(({ version }) => version)).toEqual(
          Array.from({ length: expected.length }, (_, index) => expected.length - index),
        );
        expect(versions.filter(({ isLatest }) => isLatest).map(({ version }) => version)).toEqual([
          expected.length,
        ]);
        for (const [index, content] of expected.entries())
          expect(
            (await at.workshop.version({ id: made.id, version: index + 1 }, noSignal)).content,
          ).toEqual(content);
        expect(await at.workshop.get({ id: made.id }, noSignal)).toMatchObject({
          version: expected.length,
          content: expected.at(-1),
        });
      }),
      { numRuns: 25 },
    );
  });

  it('are not overwritten by a save based on an older version', async () => {
    await using at = createTestWorkshop();
    const { id, content } = await createTool(at);
    await at.workshop.save(
      { id, content: { ...content, description: 'Theirs.' }, changelog: '', baseVersion: 1 },
      noSignal,
    );
    expect(
      await refusal(
        at.workshop.save(
          { id, content: { ...content, description: 'Mine.' }, changelog: '', baseVersion: 1 },
          noSignal,
        ),
      ),
    ).toMatchObject({ code: 'CONFLICT', field: 'baseVersion' });
    expect(await at.workshop.get({ id }, noSignal)).toMatchObject({
      version: 2,
      content: { description: 'Theirs.' },
    });
  });

  it('do not change with status or category, and an unknown version is rejected', async () => {
    await using at = createTestWorkshop();
    const { id } = await createTool(at);
    const category = await at.workshop.createCategory(
      { name: 'text', description: null, parentId: null },
      noSignal,
    );
    await at.workshop.setStatus({ id, status: 'ACTIVE' }, noSignal);
    expect(await at.workshop.setCategory({ id, categoryId: category.id }, noSignal)).toMatchObject({
      version: 1,
      categoryId: category.id,
    });
    expect(await at.workshop.versions({ id }, noSignal)).toHaveLength(1);
    expect(await refusal(at.workshop.restore({ id, version: 2 }, noSignal))).toMatchObject({
      code: 'NOT_FOUND',
      field: 'version',
    });
    expect(await refusal(at.workshop.version({ id, version: 9 }, noSignal))).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
