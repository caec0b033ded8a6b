import { z } from 'zod';
import { jsonObject } from './json.ts';
import { readingsBefore } from './runValues.ts';
import { taskProgram } from './taskProgram.ts';
import { toolReference } from './testCase.ts';

/** A path that begins in a folder and never leads out of it, on every system. */
const innerPath = z
  .string()
  .min(1)
  .max(1_000)
  .refine(
    (path) => !/^[/~]|^[A-Za-z]:|[\\\u0000-\u001f]/u.test(path) && !path.split('/').includes('..'),
    'A path is written with "/", begins in its folder, and never leads out of it.',
  );

const copied = z
  .strictObject({
    from: innerPath.describe(
      'A file, a folder, or an archive (.zip, .tar, .tar.gz, .tgz), which is unpacked. The path begins in the folder of the suite file.',
    ),
    to: innerPath
      .describe(
        'Where it goes in the folder of the run. Left out: its own name there; of an archive, the folder of the run.',
      )
      .optional(),
  })
  .meta({ title: 'Copy' });
const written = z
  .strictObject({
    to: innerPath.describe('Where it goes in the folder of the run.'),
    text: z.string().max(1_000_000).describe('What the file says.').optional(),
    base64: z
      .string()
      .max(1_000_000)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/u, 'Base64 has letters, digits, "+", "/" and "=" at its end.')
      .describe('The bytes of a file that isn’t text.')
      .optional(),
  })
  .refine(
    ({ text, base64 }) => (text === undefined) !== (base64 === undefined),
    'A file that is written has either text or base64.',
  )
  .meta({ title: 'Written here' });
const generated = z
  .strictObject({
    program: taskProgram.describe(
      'A program that writes them into the folder TOUCHSTONE_RUN_DIR. It runs only if you allow programs.',
    ),
  })
  .meta({ title: 'Made by a program' });
const server = toolReference.shape.server;

export const taskFixtures = {
  before: readingsBefore
    .describe(
      'Values that are read after the setup and before the first turn, by name: {{before.NAME}}.',
    )
    .optional(),
  files: z
    .array(z.union([copied, written, generated]))
    .min(1)
    .describe('What is put into the folder of each run before its servers start.')
    .optional(),
  databases: z
    .array(
      z.strictObject({
        from: innerPath.describe(
          'A SQLite database, which is copied, or an SQL dump (.sql), which is loaded into a new one. The path begins in the folder of the suite file.',
        ),
        to: innerPath.describe('The database in the folder of the run, such as shop.db.'),
      }),
    )
    .min(1)
    .describe('SQLite databases in the folder of each run, before its servers start.')
    .optional(),
  reset: z
    .array(
      z.union([
        toolReference.extend({ arguments: jsonObject.optional() }).meta({ title: 'Call' }),
        taskProgram.extend({ server }).meta({ title: 'Program' }),
      ]),
    )
    .min(1)
    .describe(
      'Before each run: a call of a tool, or a program, that brings the data of a shared server back to its start.',
    )
    .optional(),
};
const fixtures = z.object(taskFixtures);
export type TaskFixtures = z.infer<typeof fixtures>;
