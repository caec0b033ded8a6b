import { z } from 'zod';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import type { CommandIo } from '../commandIo.ts';
import { define, inSession } from '../declare.ts';
import { argumentsModeFlag } from '../input/evalOptions.ts';
import { readInput } from '../input/files.ts';
import { unreadableFile } from '../input/otherFile.ts';
import { readWhole } from '../output/modelShapes.ts';

export const rescore = define({
  flags: {
    '--high-confidence <x>': {
      about: 'lowest confidence that counts as high, 0 to 1',
      of: z.number().min(0).max(1),
    },
    ...argumentsModeFlag,
    '--suite <file>':
      'use the expectations of this suite file, or `current` for those of its suite now',
  },
  example: 'rescore 14 --suite current --high-confidence 0.8',
  async run({ options: { suite, ...settings }, ...context }, name: string) {
    const expectations = suite === undefined ? {} : await readExpectations(suite, context.io);
    await inSession(context, 'write', async ({ client }) => {
      const { id } = await client.evaluations.get({ id: name });
      await client.evaluations.rescore({ id, ...settings, ...expectations });
      const { document, text } = await readWhole(client, id);
      context.output.answer(document, text);
    });
  },
});

async function readExpectations(suite: string, io: CommandIo) {
  if (suite === 'current') return { expectations: 'suite' as const };
  const text = await readInput(suite, io);
  const { file, problems } = readSuiteFile(text);
  if (file) return { suite: file };
  const expected = { role: 'suite', kind: 'a suite' } as const;
  throw unreadableFile({ name: suite, text, expected, problems });
}
