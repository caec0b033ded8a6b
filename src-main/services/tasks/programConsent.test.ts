import { afterEach, expect, it } from 'vitest';
import { commandText } from '../../../src-shared/domain/commandText.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTaskService as create, task } from '../../testing/taskService.ts';

afterEach(expectNoLeaks);

const command = [process.execPath, '-e', 'console.log(JSON.stringify({ passed: true }))'];
const agreedPrograms = [commandText({ command })];
const judged = () => task('one', { checks: [{ id: 'said', kind: 'program', command }] });
const refused = { code: 'INVALID', data: { field: 'agreedPrograms' } };

it('starts no program that the person did not agree to, in any mode', async () => {
  await using at = create([judged()]);
  expect(await at.service.plan(at.request({}))).toMatchObject({ programs: agreedPrograms });
  for (const agreed of [{}, { agreedPrograms: [] }, { agreedPrograms: ['node other.mjs'] }])
    await expect(at.start({ mode: 'stub', ...agreed })).rejects.toMatchObject(refused);
  const id = await at.start({ mode: 'stub', agreedPrograms });
  await at.drain(id);
  expect((await at.runs(id)).map(({ outcome }) => outcome)).toEqual(['succeeded']);
});

it('needs the agreement again for a repetition with other tools', async () => {
  await using at = create([judged()]);
  const id = await at.start({ mode: 'stub', agreedPrograms });
  await at.drain(id);
  const changed = {
    ...{ id, modelSettingsId: null, mode: 'stub' as const, agreedServers: [] },
    changes: [{ kind: 'remove_tool' as const, toolId: 'todo:delete_task' }],
  };
  await expect(at.service.whatIf(changed)).rejects.toMatchObject(refused);
  const repeated = await at.service.whatIf({ ...changed, agreedPrograms });
  await at.drain(repeated.id);
  expect((await at.runs(repeated.id)).map(({ outcome }) => outcome)).toEqual(['succeeded']);
});
