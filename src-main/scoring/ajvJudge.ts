import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorText } from '../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { parsePointer } from '../../src-shared/domain/jsonPointer.ts';
import { compilePattern } from './compilePattern.ts';
import { exceedsDepth, MAX_DEPTH } from './depth.ts';
import { addExactKeywords, forAjv } from './exactAjv.ts';
import type { Conformance, Judge } from './judge.ts';

export type Dialect = '2020-12' | 'draft-07';
type Compiled = { validate: ValidateFunction } | { reason: string };

/**
 * Number of compiled schemas to keep. After that many compilations the whole instance is replaced,
 * because Ajv never releases what it has compiled.
 */
const maxCompiled = 300;

/**
 * `parameter_completeness` and `hallucinated_parameters` score these, so they don't count again at
 * the top level.
 */
const scoredElsewhere = new Set(['required', 'additionalProperties', 'unevaluatedProperties']);

/**
 * The `u` flag rejects patterns that many servers publish (`[\w-.]`); those are compiled without
 * it.
 */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern, flags.replace('u', ''));
  }
}
const regExpEngine = Object.assign(toRegExp, { code: 'new RegExp' });

function isPattern(text: string): boolean {
  try {
    toRegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

type Validator = Pick<Ajv, 'compile' | 'removeSchema' | 'validateSchema' | 'errors'>;

export function createAjv(dialect: Dialect): Validator {
  const options: Options = {
    allErrors: true,
    strict: false,
    logger: false,
    code: { regExp: regExpEngine },
    addUsedSchema: false,
  };
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options);
  addFormats(ajv);
  addExactKeywords(ajv);
  ajv.addFormat('regex', isPattern);
  // Compiles the meta-schema now, so that the first schema isn't slowed down by it.
  void ajv.validateSchema({ type: 'object' });
  return ajv;
}

/**
 * The dialect that a schema is written in: 2020-12 if it names none, null if it names an
 * unsupported one.
 */
export function dialectOf(schema: JsonObject): Dialect | null {
  const named = schema['$schema'];
  if (named === undefined) return '2020-12';
  if (typeof named !== 'string') return null;
  const plain = named.replace(/^https?:\/\//, '').replace(/#$/, '');
  if (plain === 'json-schema.org/draft/2020-12/schema') return '2020-12';
  return plain === 'json-schema.org/draft-07/schema' ? 'draft-07' : null;
}

/** Describes an error: its place and what is wrong. */
function words(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the arguments' : error.instancePath;
  const { allowedValues, allowedValue, additionalProperty } = error.params as Record<
    string,
    unknown
  >;
  const allowed = allowedValues ?? allowedValue;
  const more =
    allowed !== undefined
      ? `: ${JSON.stringify(allowed)}`
      : typeof additionalProperty === 'string'
        ? `: ${additionalProperty}`
        : '';
  return `${where} ${error.message ?? error.keyword}${more}`.slice(0, 300);
}

function nameOf(error: ErrorObject): string | undefined {
  return parsePointer(error.instancePath)[0];
}

const demanding = new Set(['required', 'dependentRequired', 'dependencies']);

/** The branch of `anyOf` or `oneOf` that reports an error, as the start of its schema path. */
function branchOf({ schemaPath }: ErrorObject): string | undefined {
  return /^.*\/(?:anyOf|oneOf)\/\d+\//.exec(schemaPath)?.[0];
}

/**
 * Top-level names whose absence the errors report: through `required` wherever it applies (`then`,
 * `else`, a branch), and through `dependentRequired`. A branch counts only if nothing but names is
 * missing in it, because otherwise the arguments were not meant for it; and not if `oneOf` fails
 * because several branches fit.
 */
function demandedNames(errors: readonly ErrorObject[]): string[] {
  const isDemand = (error: ErrorObject): boolean =>
    error.instancePath === '' && demanding.has(error.keyword);
  const otherwiseWrong = new Set(errors.filter((error) => !isDemand(error)).map(branchOf));
  const severalFit = errors
    .filter(({ keyword, params }) => keyword === 'oneOf' && params['passingSchemas'] != null)
    .map(({ schemaPath }) => `${schemaPath}/`);
  const names = errors.filter(isDemand).flatMap((error) => {
    const branch = branchOf(error);
    if (branch !== undefined && otherwiseWrong.has(branch)) return [];
    if (severalFit.some((start) => error.schemaPath.startsWith(start))) return [];
    const { missingProperty } = error.params as Record<string, unknown>;
    return typeof missingProperty === 'string' ? [missingProperty] : [];
  });
  return [...new Set(names)];
}

/**
 * Decides conformance (docs/rules.md §3): one validator per dialect, 2020-12 unless `$schema` says
 * draft-07, all errors, formats asserted, local references only. Another dialect, a reference to
 * another document (never fetched), and a schema that doesn't compile or is nested deeper than
 * MAX_DEPTH are undecided. It has no time limit of its own: run it where it can be stopped.
 */
export class AjvJudge implements Judge {
  readonly #instances = new Map<Dialect, Validator>();
  readonly #bySchema = new WeakMap<JsonObject, Compiled>();
  readonly #byText = new Map<string, Compiled>();
  readonly #patterns = new Map<string, RegExp | string>();
  #compilations = 0;

  constructor() {
    for (const dialect of ['2020-12', 'draft-07'] as const)
      this.#instances.set(dialect, createAjv(dialect));
  }

  validate(schema: JsonObject, args: JsonObject): Conformance {
    if (exceedsDepth(args))
      return {
        outcome: 'undecided',
        reason: `The arguments are nested deeper than ${MAX_DEPTH} levels.`,
      };
    const compiled = this.#bySchema.get(schema) ?? this.#compile(schema);
    if ('reason' in compiled) return { outcome: 'undecided', reason: compiled.reason };
    try {
      if (compiled.validate(forAjv(args))) return { outcome: 'conforms' };
    } catch (error) {
      return {
        outcome: 'undecided',
        reason: `The input schema fails on these arguments: ${errorText(error)}.`,
      };
    }
    const counted =
      compiled.validate.errors?.filter(
        (error) => error.instancePath !== '' || !scoredElsewhere.has(error.keyword),
      ) ?? [];
    // Errors of branches precede the one that says that no branch fits; the last error is the
    // clearest.
    const worst = counted.findLast((error) => error.instancePath !== '') ?? counted[0];
    if (!worst) return { outcome: 'conforms' };
    const name = nameOf(worst);
    const demanded = demandedNames(compiled.validate.errors ?? []);
    return {
      outcome: 'violates',
      reason: words(worst),
      ...(name === undefined ? {} : { name }),
      ...(demanded.length === 0 ? {} : { demanded }),
    };
  }

  matchesRegex(pattern: string, text: string): boolean | { outcome: 'undecided'; reason: string } {
    let compiled = this.#patterns.get(pattern);
    if (compiled === undefined) {
      try {
        compiled = compilePattern(pattern);
      } catch (error) {
        compiled = `/${pattern}/ is no valid pattern: ${errorText(error)}`;
      }
      if (this.#patterns.size >= maxCompiled) this.#patterns.clear();
      this.#patterns.set(pattern, compiled);
    }
    return typeof compiled === 'string'
      ? { outcome: 'undecided', reason: compiled }
      : compiled.test(text);
  }

  #compile(schema: JsonObject): Compiled {
    const compiled = exceedsDepth(schema)
      ? { reason: `The input schema is nested deeper than ${MAX_DEPTH} levels.` }
      : this.#compileText(schema, JSON.stringify(schema));
    this.#bySchema.set(schema, compiled);
    return compiled;
  }

  #compileText(schema: JsonObject, text: string): Compiled {
    const before = this.#byText.get(text);
    if (before) return before;
    const dialect = dialectOf(schema);
    const compiled: Compiled =
      dialect === null
        ? {
            reason:
              `The input schema is written in ${JSON.stringify(schema['$schema'])}; supported ` +
              'are 2020-12 and draft-07.',
          }
        : this.#compileIn(dialect, schema);
    if (this.#byText.size >= maxCompiled) this.#byText.clear();
    this.#byText.set(text, compiled);
    return compiled;
  }

  #compileIn(dialect: Dialect, schema: JsonObject): Compiled {
    const ajv = this.#instanceFor(dialect);
    // The dialect has been chosen; Ajv itself wouldn't recognize its name with https, or without #.
    const { $schema: _dialect, ...unnamed } = schema;
    try {
      return { validate: ajv.compile(forAjv(unnamed)) };
    } catch (error) {
      return { reason: `The input schema does not compile: ${errorText(error).slice(0, 300)}.` };
    } finally {
      // Otherwise a second schema with the same `$id` would be rejected.
      ajv.removeSchema();
    }
  }

  #instanceFor(dialect: Dialect): Validator {
    if (this.#compilations >= maxCompiled) {
      this.#compilations = 0;
      this.#instances.clear();
      this.#byText.clear();
    }
    this.#compilations += 1;
    let ajv = this.#instances.get(dialect);
    if (!ajv) this.#instances.set(dialect, (ajv = createAjv(dialect)));
    return ajv;
  }
}
