import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { z } from 'zod';
import { jsonObject } from '../../../../src-shared/domain/json.ts';
import type { ToolOverride } from '../../../../src-shared/domain/toolOverride.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { readJson } from './files.ts';

/** Help of a flag that names such a file. */
export const overrideFlag =
  'other descriptions: {"server:tool": {"description", "title", "input_schema", "name"}}';

const override = z.strictObject({
  description: z.string().optional(),
  title: z.string().optional(),
  input_schema: jsonObject.optional(),
  inputSchema: jsonObject.optional(),
  name: z.string().min(1).optional(),
});

/** Reads other texts of tools, by `server:tool`. Throws a UsageError. */
export async function readOverrideFile(
  file: string,
  io: CommandIo,
): Promise<Map<string, ToolOverride>> {
  const read = z.record(z.string(), override).safeParse(await readJson(file, io));
  if (!read.success)
    throw new UsageError(
      `${file}: ${read.error.issues[0]?.path.join('.') ?? ''}: ` +
        `${asSentence(read.error.issues[0]?.message ?? 'It does not fit.')} It needs {"server:tool": ` +
        '{"description": "…"}}.',
    );
  return new Map(
    Object.entries(read.data).map(
      ([id, { name, description, title, input_schema, inputSchema }]): [string, ToolOverride] => {
        const schema = input_schema ?? inputSchema;
        return [
          id,
          {
            ...(name === undefined ? {} : { name }),
            ...(description === undefined ? {} : { description }),
            ...(title === undefined ? {} : { title }),
            ...(schema === undefined ? {} : { inputSchema: schema }),
          },
        ];
      },
    ),
  );
}
