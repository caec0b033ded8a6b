import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';

/**
 * Matches `{{name}}`, `{{a.b}}` and `${secret:name}`. All are replaced in one pass, so that an
 * argument is never read as a template.
 */
const placeholder = /\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}|\$\{secret:([^}]+)\}/g;
const wholePlaceholder = /^\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}$/;

export interface TemplateValues {
  arguments: JsonObject;
  /** Secret values by name. */
  secrets: ReadonlyMap<string, string>;
}

/** Thrown if a template needs a parameter that was not given. */
export class MissingParameter extends Error {
  override readonly name = 'MissingParameter';
  readonly parameter: string;

  constructor(parameter: string) {
    super(`The parameter "${parameter}" was not given, and the tool's template needs it.`);
    this.parameter = parameter;
  }
}

/**
 * The value at a dotted name; undefined if there is none. Only reads own properties of the
 * arguments.
 */
function valueAt(args: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const step of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(step) ? value[Number(step)] : undefined;
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

export function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Replaces placeholders. `encode` applies to parameters and secrets, not to the template's own
 * text. Throws MissingParameter.
 */
export function renderText(
  template: string,
  values: TemplateValues,
  encode: (text: string) => string = (text) => text,
): string {
  return template.replace(
    placeholder,
    (_all, name: string | undefined, secret: string | undefined) => {
      if (secret !== undefined) return encode(values.secrets.get(secret) ?? '');
      const value = valueAt(values.arguments, name ?? '');
      if (value === undefined) throw new MissingParameter(name ?? '');
      return encode(toText(value));
    },
  );
}

/** Like `renderText`; null if the whole text is one placeholder whose parameter was not given. */
export function renderOptional(template: string, values: TemplateValues): string | null {
  const only = wholePlaceholder.exec(template)?.[1];
  return only !== undefined && valueAt(values.arguments, only) === undefined
    ? null
    : renderText(template, values);
}

/**
 * Replaces placeholders in a JSON value. A text that is a single placeholder becomes the parameter
 * with its type; if it was not given, the entry is left out.
 */
export function renderJson(template: JsonValue, values: TemplateValues): JsonValue | undefined {
  if (typeof template === 'string') {
    const only = wholePlaceholder.exec(template)?.[1];
    return only === undefined ? renderText(template, values) : valueAt(values.arguments, only);
  }
  if (Array.isArray(template))
    return template.map((item) => renderJson(item, values)).filter((item) => item !== undefined);
  if (!isJsonObject(template)) return template;
  const entries = Object.entries(template).flatMap(([key, item]): [string, JsonValue][] => {
    const rendered = renderJson(item, values);
    return rendered === undefined ? [] : [[key, rendered]];
  });
  return Object.fromEntries(entries);
}

export function findPlaceholders(template: JsonValue): {
  parameters: Set<string>;
  secrets: Set<string>;
} {
  const parameters = new Set<string>();
  const secrets = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (typeof value === 'string') {
      for (const [, name, secret] of value.matchAll(placeholder)) {
        if (name !== undefined) parameters.add(name);
        if (secret !== undefined) secrets.add(secret);
      }
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  visit(template);
  return { parameters, secrets };
}

/**
 * Builds a request's URL, with each parameter in path and query encoded as one part. Throws if a
 * parameter would leave its part of the path: `.` and `..` have no encoding that a URL keeps.
 */
export function renderUrl(
  template: string,
  query: Readonly<Record<string, string>>,
  values: TemplateValues,
): URL {
  const parts = template.split(/[?#]/, 1)[0] ?? '';
  for (const part of parts.split('/').slice(3)) {
    if (part.includes('{{') && ['.', '..'].includes(renderText(part, values)))
      throw new RangeError(
        'A parameter of the path is "." or "..", which would lead to another address.',
      );
  }
  const url = new URL(renderText(template, values, encodeURIComponent));
  for (const [name, text] of Object.entries(query)) {
    const rendered = renderOptional(text, values);
    if (rendered !== null) url.searchParams.append(name, rendered);
  }
  return url;
}
