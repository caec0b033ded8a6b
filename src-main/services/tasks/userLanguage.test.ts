import { afterEach, describe, expect, it } from 'vitest';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { says, scripted } from '../../testing/taskRuns.ts';
import { createTaskService, task } from '../../testing/taskService.ts';

afterEach(expectNoLeaks);

const inLanguageOfUser = {
  id: 'language',
  kind: 'answer' as const,
  expected: '{{user_language}}',
  read: 'language' as const,
};
const german = 'Bitte trage die Aufgabe in meine Liste ein und sag mir, ob es geklappt hat.';

describe('a task whose answer must be in the language of the user', () => {
  it.each([
    [german, 'Ich habe die Aufgabe zu deiner Liste hinzugefügt.', 'succeeded', 'de'],
    [german, 'I have added the task to your list.', 'check_failed', 'de'],
    [german, 'OK', 'not_scored', 'de'],
    ['Task-7?', 'I have added the task to your list.', 'not_scored', null],
  ])('with %j and %j: %s', async (turn, answer, outcome, language) => {
    const asked = { turns: [turn], checks: [inLanguageOfUser] };
    await using service = createTaskService(
      [task('one', asked)],
      () => scripted([says(answer)]).model,
    );
    const id = await service.start({});
    await service.drain(id);
    const [run] = await service.runs(id);
    expect(run).toMatchObject({ outcome });
    const { trajectory } = await service.service.run({ id, runId: run?.runId ?? '' });
    expect(trajectory?.values).toEqual({ user_language: language });
  });
});
