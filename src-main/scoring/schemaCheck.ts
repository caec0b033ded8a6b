import type { ErrorObject } from 'ajv';
import type { JsonObject, JsonValue } from '../../src-shared/domain/json.ts';
import { appendToPointer, parsePointer } from '../../src-shared/domain/jsonPointer.ts';
import { errorText } from '../../src-shared/domain/errorText.ts';
import { createAjv, dialectOf, type Dialect } from './ajvJudge.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { forAjv } from './exactAjv.ts';

/** One problem and its place: a JSON pointer into what was checked. */
export interface SchemaProblem {
  path: string;
  message: string;
  /** The top-level name that the problem concerns, if there is one. */
  name: string | null;
}

const maxProblems = 20;
const instances = new Map<Dialect, ReturnType<typeof createAjv>>();

function instanceOf(dialect: Dialect): ReturnType<typeof createAjv> {
  let ajv = instances.get(dialect);
  if (ajv === undefined) instances.set(dialect, (ajv = createAjv(dialect)));
  return ajv;
}

const whole = (message: string): SchemaProblem[] => [{ path: '', message, name: null }];

/**
 * What makes a schema invalid: a dialect other than 2020-12 and draft-07 (docs/rules.md §3), a
 * violation of its meta-schema, or a pattern or reference that doesn't resolve. Empty if it is
 * valid. It has no time limit of its own: run it where it can be stopped.
 */
export function checkSchema(schema: JsonObject): SchemaProblem[] {
  if (exceedsDepth(schema)) return whole(`It is nested deeper than ${MAX_DEPTH} levels.`);
  const dialect = dialectOf(schema);
  if (dialect === null)
    return whole(
      `It is written in ${JSON.stringify(schema['$schema'])}; supported are draft-07 and 2020-12.`,
    );
  const ajv = instanceOf(dialect);
  const { $schema: _dialect, ...unnamed } = schema;
  const schemaForAjv = forAjv(unnamed);
  if (ajv.validateSchema(schemaForAjv) !== true) return problemsOf(ajv.errors ?? [], 'The schema');
  try {
    ajv.compile(schemaForAjv);
    return [];
  } catch (error) {
    return whole(`It does not compile: ${errorText(error).slice(0, 300)}.`);
  } finally {
    ajv.removeSchema();
  }
}

/**
 * How a value violates a schema, with every place named; empty if it conforms. Throws if the schema
 * itself is invalid.
 */
export function checkValue(schema: JsonObject, value: JsonValue, what: string): SchemaProblem[] {
  if (exceedsDepth(value)) return whole(`${what} is nested deeper than ${MAX_DEPTH} levels.`);
  const dialect = dialectOf(schema);
  if (dialect === null) throw new Error('The schema is written in another dialect.');
  const ajv = instanceOf(dialect);
  const { $schema: _dialect, ...unnamed } = schema;
  try {
    const validate = ajv.compile(forAjv(unnamed));
    return validate(forAjv(value)) ? [] : problemsOf(validate.errors ?? [], what);
  } finally {
    ajv.removeSchema();
  }
}

function problemsOf(errors: readonly ErrorObject[], what: string): SchemaProblem[] {
  const seen = new Map<string, SchemaProblem>();
  for (const error of errors) {
    const {
      missingProperty,
      additionalProperty,
      unevaluatedProperty,
      allowedValues,
      allowedValue,
    } = error.params as Record<string, unknown>;
    const inner = missingProperty ?? additionalProperty ?? unevaluatedProperty;
    const path =
      typeof inner === 'string' ? appendToPointer(error.instancePath, inner) : error.instancePath;
    const allowed = allowedValues ?? allowedValue;
    const message =
      typeof missingProperty === 'string'
        ? `"${missingProperty}" is required.`
        : typeof inner === 'string'
          ? `"${inner}" is not known.`
          : `${path === '' ? what : path} ` +
            `${error.message ?? error.keyword}${allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`}.`;
    const key = `${path} ${message}`;
    if (!seen.has(key)) seen.set(key, { path, message: message.slice(0, 400), name: nameOf(path) });
    if (seen.size >= maxProblems) break;
  }
  return [...seen.values()];
}

function nameOf(path: string): string | null {
  const [first] = parsePointer(path);
  return first === undefined || first === '' ? null : first;
}
