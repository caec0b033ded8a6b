import { type AnySchema, getEventIteratorSchemaDetails } from '@orpc/contract';
import { contract } from './index.ts';

/**
 * Every word of the formats that the contract speaks of: names of properties and the values of
 * enumerations.
 */
export function contractWords(): ReadonlySet<string> {
  const words = new Set<string>();
  const seen = new Set<unknown>();
  const waiting: unknown[] = contractSchemas();
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') words.add(next);
    if (!isRecord(next) || seen.has(next)) continue;
    seen.add(next);
    waiting.push(...partsOf(next));
  }
  return words;
}

function contractSchemas(): unknown[] {
  const schemas: (AnySchema | undefined)[] = [];
  for (const procedures of Object.values(contract))
    for (const procedure of Object.values<{ '~orpc': ProcedureSchemas }>(procedures)) {
      const { inputSchema, outputSchema } = procedure['~orpc'];
      schemas.push(inputSchema, outputSchema, getEventIteratorSchemaDetails(outputSchema)?.yields);
    }
  return schemas;
}

interface ProcedureSchemas {
  inputSchema?: AnySchema | undefined;
  outputSchema?: AnySchema | undefined;
}

/** The schemas within a schema of zod, and its own words; all values of anything else. */
function partsOf(value: Record<string, unknown>): unknown[] {
  const inner = value['_zod'];
  const definition = isRecord(inner) ? inner['def'] : null;
  if (!isRecord(definition)) return Object.values(value);
  const { type, shape, entries, values, getter, ...parts } = definition;
  return [
    ...(isRecord(shape) ? [...Object.keys(shape), ...Object.values(shape)] : []),
    ...(type === 'enum' && isRecord(entries) ? Object.values(entries) : []),
    ...(type === 'literal' && isRecord(values) ? Object.values(values) : []),
    ...(type === 'lazy' && isGetter(getter) ? [getter()] : []),
    ...Object.values(parts).filter((part) => isRecord(part)),
  ];
}

const isGetter = (value: unknown): value is () => unknown => typeof value === 'function';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
