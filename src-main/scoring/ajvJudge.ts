import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { errorText } from '../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../src-shared/domain/json.ts';
import { parsePointer } from '../../src-shared/domain/jsonPointer.ts';
import { compilePattern } from './compilePattern.ts';
import { deepPlace, exceedsDepth, MAX_DEPTH } from './depth.ts';
import { addExactKeywords, forAjv } from './exactAjv.ts';
import type { Conformance, Judge } from './judge.ts';
import { readSchema } from './schema/readSchema.ts';
import { schemaPattern } from './schema/schemaPattern.ts';

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

/** Names that only other names require are in neither score. */
const isScoredElsewhere = ({ instancePath, keyword, schemaPath }: ErrorObject): boolean =>
  instancePath === '' &&
  scoredElsewhere.has(keyword) &&
  !(keyword === 'required' && schemaPath.includes('/dependentSchemas/'));

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

/** Patterns of schemas that `readSchema` wrote; it keeps only those that can be read. */
const readPattern = Object.assign((pattern: string) => schemaPattern(pattern) ?? /(?:)/u, {
  code: 'new RegExp',
});

export function createAjv(dialect: Dialect, own: Options = {}): Validator {
  const options: Options = {
    allErrors: true,
    strict: false,
    logger: false,
    code: { regExp: regExpEngine },
    addUsedSchema: false,
    // A parameter named `constructor` or `toString` that wasn't sent isn't there.
    ownProperties: true,
    ...own,
  };
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options);
  addFormats(ajv);
  addExactKeywords(ajv);
  ajv.addFormat('regex', isPattern);
  // Compiles the meta-schema now, so that the first schema isn't slowed down by it.
  if (own.validateSchema !== false) void ajv.validateSchema({ type: 'object' });
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
 * Decides conformance (docs/rules.md §3): the schema as `readSchema` reads it, all errors, formats
 * asserted. Undecided are a schema and arguments that are nested deeper than MAX_DEPTH. It has no
 * time limit of its own: run it where it can be stopped.
 */
export class AjvJudge implements Judge {
  #ajv = createReader();
  readonly #bySchema = new WeakMap<JsonObject, Compiled>();
  readonly #byText = new Map<string, Compiled>();
  readonly #patterns = new Map<string, RegExp | string>();
  #compilations = 0;

  cannotDecide(schema: JsonObject): string | null {
    if (exceedsDepth(schema))
      return `It is nested deeper than ${MAX_DEPTH} levels at ${deepPlace(schema)}.`;
    const compiled = this.#compile(schema);
    return 'reason' in compiled ? compiled.reason : null;
  }

  validate(schema: JsonObject, args: JsonObject): Conformance {
    if (exceedsDepth(args))
      return {
        outcome: 'undecided',
        reason: `The arguments are nested deeper than ${MAX_DEPTH} levels.`,
      };
    const reason = this.cannotDecide(schema);
    if (reason !== null) return { outcome: 'undecided', reason };
    const compiled = this.#compile(schema);
    if ('reason' in compiled) return { outcome: 'undecided', reason: compiled.reason };
    try {
      if (compiled.validate(forAjv(args))) return { outcome: 'conforms' };
    } catch (error) {
      return {
        outcome: 'undecided',
        reason: `It fails on these arguments: ${errorText(error)}.`,
      };
    }
    const counted = compiled.validate.errors?.filter((error) => !isScoredElsewhere(error)) ?? [];
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
    let compiled = this.#bySchema.get(schema);
    if (compiled === undefined)
      this.#bySchema.set(schema, (compiled = this.#compileRead(readSchema(schema).schema)));
    return compiled;
  }

  #compileRead(schema: JsonObject): Compiled {
    const text = JSON.stringify(schema);
    const before = this.#byText.get(text);
    if (before) return before;
    if (this.#compilations >= maxCompiled) {
      this.#compilations = 0;
      this.#ajv = createReader();
      this.#byText.clear();
    }
    this.#compilations += 1;
    const compiled = this.#compileNew(schema);
    this.#byText.set(text, compiled);
    return compiled;
  }

  #compileNew(schema: JsonObject): Compiled {
    try {
      return { validate: this.#ajv.compile(forAjv(schema)) };
    } catch (error) {
      return { reason: `It does not compile: ${errorText(error).slice(0, 300)}.` };
    } finally {
      this.#ajv.removeSchema();
    }
  }
}

/** What `readSchema` wrote needs no meta-schema. */
const createReader = (): Validator =>
  createAjv('2020-12', {
    validateSchema: false,
    meta: false,
    // Large schemas count against the time limit: compiling them takes half as long so.
    code: { regExp: readPattern, optimize: false },
  });
