import { z } from 'zod';
import { keyPlace, keyStatus } from './keys.ts';

/**
 * Names that a system or this program gives a meaning: a secret of this name would replace the
 * program's search path, or be read from every environment.
 */
const reservedNames =
  /^(?:PATH|HOME|USER|USERNAME|USERPROFILE|LOGNAME|SHELL|PWD|LANG|TZ|TERM|TMP|TEMP|TMPDIR|SYSTEMROOT|COMSPEC|PATHEXT|IFS|(?:LC|LD|DYLD|NODE|NPM|PYTHON|TOUCHSTONE)_.*|PYTHON[A-Z]*)$/i;

/** A secret that a tool declares. Scripts read it from the environment variable of this name. */
export const toolSecretName = z
  .string()
  .max(100, 'A secret’s name has at most 100 characters.')
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'A secret is named like a variable: letters, digits, and underscores, such as API_KEY.',
  )
  .refine((name) => !reservedNames.test(name), 'The system uses this name. Choose another one.');

/** The value of a secret. It may have several lines, such as a private key. */
export const toolSecretValue = z
  .string()
  .trim()
  .min(1, 'Enter the value.')
  .max(65_536, 'A secret has at most 65,536 characters.')
  .regex(/^[^\0]*$/, 'A secret can’t contain a NUL character.');

/** What the core says about a secret of a tool: never its value. */
export const toolSecret = z.object({
  toolId: z.string(),
  /** Name of the tool. */
  tool: z.string(),
  name: z.string(),
  status: keyStatus,
  place: keyPlace.nullable(),
});
export type ToolSecret = z.infer<typeof toolSecret>;

/** How a command names a secret of a tool. */
export const toolSecretKey = (tool: string, name: string): string => `tool:${tool}/${name}`;
