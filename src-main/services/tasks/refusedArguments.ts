import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Judge } from '../../scoring/judge.ts';
import { schemaProperties } from '../../scoring/schemaProperties.ts';

/** Why the published schema of a tool refuses arguments; null if it accepts them or can't decide. */
export function refusedArguments(
  schema: JsonObject,
  args: JsonObject,
  judge: Pick<Judge, 'validate'>,
): string | null {
  const { properties, required, open } = schemaProperties(schema);
  const absent = [...required].find((name) => !Object.hasOwn(args, name));
  if (absent !== undefined) return `${absent} is missing`;
  const unknown = Object.keys(args).find((name) => !properties.has(name));
  if (unknown !== undefined && !open) return `it has no parameter ${unknown}`;
  const said = judge.validate(schema, args);
  return said.outcome === 'violates' ? said.reason : null;
}
