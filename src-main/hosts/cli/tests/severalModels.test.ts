import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { vsBestText } from '../../../../src-shared/display/verdictTexts.ts';
import type { VsBest } from '../../../../src-shared/domain/verdict.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import type { SeenRequest } from '../../../testing/fakeModelServer/react.ts';
import { addSuite, createModelWorkspace } from '../../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();
const models = ['m-a', 'm-b', 'm-c'];
/** How many of 16 cases each model fails. */
const failures: Record<string, number> = { 'm-a': 1, 'm-b': 10, 'm-c': 3 };

interface ShownModel {
  label: string;
  vs_best: {
    shared_cases: number;
    difference: VsBest['difference'];
    p_value: number;
    adjusted_p: number;
    answer: VsBest['answer'];
  } | null;
}

it('says of three models how each compares with the best one, the same everywhere', async () => {
  let asked = 0;
  workspace.rule = ({ body, query, toolNames }: SeenRequest) => {
    const number = Number(/\d+$/u.exec(query)?.[0]);
    const model = z.string().parse(body['model']);
    if (model === 'm-c' && number === 15)
      return { does: 'error', status: 500, type: 'server_error', message: 'Down.' };
    // The last of the cases that m-c fails is right in one of two repetitions.
    const isFlaky = model === 'm-c' && number === 2;
    if (isFlaky) asked += 1;
    const isRight = isFlaky ? asked === 1 : number >= (failures[model] ?? 0);
    const name = toolNames.find((each) => each.endsWith(isRight ? 'add' : 'list')) ?? '';
    return { does: 'answer', calls: [{ name, arguments: {} }] };
  };
  const services = await workspace.open('several');
  const suiteId = await addSuite(
    services,
    Array.from({ length: 16 }, (_, n) => [`please do number ${n}`, 'add']),
  );
  const { id } = await workspace.run(services, suiteId, {
    models: models.map((model) => ({ model })),
    repetitions: 2,
  });
  const { models: verdicts } = await services.results.verdict({ id, modelSettingsId: null });
  await workspace.reset();
  const run = async (...args: string[]) => {
    const ended = await runCommand(args, { workspace: join(workspace.folder, 'several') });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  // m-b loses 9 cases to m-a: p = 2 · 2^−9. m-c loses one and a half: p = 2 · 2^−2, drawn.
  expect(verdicts.map(({ vsBest }) => vsBest)).toMatchObject([
    null,
    {
      sharedCases: 15,
      difference: { value: expect.closeTo(-1.5 / 15, 12) },
      pValue: expect.closeTo(0.5, 1),
      answer: 'cannot tell',
    },
    {
      sharedCases: 16,
      pValue: expect.closeTo(2 / 2 ** 9, 12),
      adjustedP: expect.closeTo(4 / 2 ** 9, 12),
      answer: 'worse',
    },
  ]);
  const shapes = verdicts.map(
    ({ vsBest }) =>
      vsBest && {
        shared_cases: vsBest.sharedCases,
        difference: vsBest.difference,
        p_value: vsBest.pValue,
        adjusted_p: vsBest.adjustedP,
        answer: vsBest.answer,
      },
  );
  const file = join(workspace.folder, 'several.json');
  const exported = await run('export', '1', '--to', 'json');
  await writeFile(file, exported);
  for (const text of [exported, await run('evaluations', 'show', '1', '--json')]) {
    const shown = (JSON.parse(text) as { models: ShownModel[] }).models;
    // Models come in the order in which they were chosen, and verdicts the best first.
    expect([0, 2, 1].map((at) => shown[at]?.vs_best)).toEqual(shapes);
  }
  const texts = [
    await run('evaluations', 'show', '1'),
    await run('export', '1', '--to', 'html'),
    await run('export', '1', '--to', 'md'),
  ];
  expect(texts[0]).toMatch(/worse \(p 0\.0078, n 16\)/u);
  for (const { vsBest } of verdicts) {
    if (vsBest === null) continue;
    for (const text of texts) expect(text.replaceAll('\\', '')).toContain(vsBestText(vsBest));
  }

  expect(JSON.parse(await run('verify', file, '--json'))).toMatchObject({ differences: [] });
  const changed = JSON.parse(await readFile(file, 'utf8')) as { models: ShownModel[] };
  for (const [name, value] of [
    ['shared_cases', 15],
    ['p_value', 0.04],
    ['adjusted_p', 0.04],
    ['answer', 'cannot tell'],
  ] as const) {
    const document = structuredClone(changed);
    Object.assign(document.models[1]?.vs_best ?? {}, { [name]: value });
    await writeFile(file, JSON.stringify(document));
    const { code, stdout } = await runCommand(['verify', file], { workspace: workspace.folder });
    expect([name, code]).toEqual([name, 1]);
    expect(stdout).toContain(`models[1].vs_best.${name}: reported ${JSON.stringify(value)}`);
  }
});
