import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { compareStored, openSide } from './storedSides.ts';
import { firstRun } from './side.ts';

afterEach(expectNoLeaks);

describe('the run that stands for a case', () => {
  const runs = (...passed: (boolean | null)[]) =>
    passed.map((each, at) => ({ repetition: at + 1, passed: each }));

  it.each([
    // An unscored run did not fail.
    ['a failed one after one without a score', runs(null, false), false, 2],
    ['the first of the outcome', runs(false, true, true), true, 2],
    ['a scored one where none has the outcome', runs(null, true), false, 2],
    ['the first where none is scored', runs(null, null), true, 1],
  ])('is %s', (_what, given, wanted, repetition) => {
    for (const order of [given, given.toReversed()])
      expect(firstRun(order, ({ passed }) => passed, wanted)?.repetition).toBe(repetition);
  });
});

describe('evaluations of tasks as sides', () => {
  const open = () => createTaskService([task('a'), task('b')]);
  const start = async (at: ReturnType<typeof open>, change: object) => {
    const id = await at.start(change);
    await at.drain(id);
    return id;
  };
  const side = (id: string) => ({ id, modelSettingsId: null });
  const compared = (at: ReturnType<typeof open>, before: string, after: string) =>
    compareStored(at.store, {
      baseline: side(before),
      candidates: [side(after)],
      passedWhen: null,
    }).candidates[0];
  const refusal = (work: () => unknown): object => {
    try {
      work();
    } catch (error) {
      if (error instanceof ServiceError) return { code: error.code, ...error.data };
    }
    throw new Error('It was not refused.');
  };

  it('pair a task by its ID before its key, as cases are', async () => {
    await using at = open();
    const before = await start(at, {});
    const suite = at.store.suites.list()[0];
    const [first] = at.store.tasks.listBySuite(suite?.id ?? '');
    if (!first) throw new Error('The suite has tasks.');
    at.store.tasks.update(first.id, {
      key: 'renamed',
      content: { ...first.content, turns: ['Add bread.'] },
    });
    const after = await start(at, {});
    expect(compared(at, before, after)).toMatchObject({
      sharedCases: 1,
      changed: [{ caseKey: 'renamed', query: 'Add bread.' }],
      added: [],
      removed: [],
    });
  });

  it('say what they are a what-if of, which may run in a safer mode', async () => {
    await using at = open();
    const base = await start(at, { mode: 'read-only' });
    const changes = [{ kind: 'remove_tool', toolId: 'todo:add_task' } as const];
    const { id } = await at.service.whatIf({
      ...{ id: base, changes, modelSettingsId: null, mode: 'stub' as const, agreedServers: [] },
    });
    await at.drain(id);
    expect(compared(at, base, id)).toMatchObject({ whatIfOf: 1, sharedCases: 2 });
    // The other way around, nothing was repeated.
    expect(refusal(() => compared(at, id, base))).toMatchObject({
      thing: 'Task evaluations #2 and #1',
      cause: expect.stringMatching(/^Their execution modes differ: stub, read-only\./u),
    });
  });

  it('need a chosen model where there are several, named as commands name it', async () => {
    await using at = open();
    const models = ['m', 'n'].map((model) => ({ provider: 'openai', model }));
    const id = await start(at, { models });
    expect(refusal(() => openSide(at.store, side(id)))).toMatchObject({
      code: 'INVALID',
      thing: 'Task evaluation #1',
      nextStep: 'Choose one of them.',
      onCommandLine: expect.stringContaining('1/1') as string,
    });
    expect(refusal(() => openSide(at.store, { id, modelSettingsId: 'gone' }))).toMatchObject({
      code: 'NOT_FOUND',
      cause: 'It has no such model.',
    });
  });
});
