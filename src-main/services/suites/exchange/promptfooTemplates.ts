import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';

/** A rendered text with the variables that stay as written, or why it can't be rendered. */
export type Rendered = { text: string; unknown: string[] } | { refused: string };

/** Raw blocks, comments, tags and expressions of a Nunjucks template, in their order. */
const parts =
  /\{%-?\s*raw\s*-?%\}([^]*?)\{%-?\s*endraw\s*-?%\}|\{#[^]*?#\}|\{%-?\s*(\w*)[^]*?%\}|\{\{(-?)([^]*?)(-?)\}\}/g;
const path = /^[A-Za-z_$][\w$]*(?:\s*(?:\.\s*[\w$]+|\[\s*(?:\d+|"[^"]*"|'[^']*')\s*\]))*$/;
const step = /[A-Za-z_$][\w$]*|\d+|"[^"]*"|'[^']*'/g;
const quoted = /^(?:"([^"\\]*)"|'([^'\\]*)')$/;
const filter = /\|\s*([A-Za-z_]\w*)/;
/** References between variables are followed up to this depth, as in promptfoo. */
const maxRounds = 5;

const printed = (value: JsonValue): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The value at a path such as `user.names[0]`; undefined if there is none. Own members only. */
function valueAt(expression: string, variables: JsonObject): JsonValue | undefined {
  let value: JsonValue | undefined = variables;
  for (const [name] of expression.matchAll(step)) {
    const key = name.replace(/^["']|["']$/g, '');
    const members: JsonValue | undefined = value;
    if (Array.isArray(members)) value = /^\d+$/.test(key) ? members[Number(key)] : undefined;
    else
      value =
        isJsonObject(members ?? null) && Object.hasOwn(members as object, key)
          ? (members as JsonObject)[key]
          : undefined;
  }
  return value;
}

function renderOnce(template: string, variables: JsonObject): Rendered {
  const unknown: string[] = [];
  let text = '';
  let from = 0;
  let trimsNext = false;
  const add = (literal: string): void => {
    text += trimsNext ? literal.trimStart() : literal;
    trimsNext = false;
  };
  for (const match of template.matchAll(parts)) {
    const [whole, raw, tag, before, inside, after] = match;
    add(template.slice(from, match.index));
    from = match.index + whole.length;
    if (raw !== undefined) text += raw;
    else if (tag !== undefined)
      return { refused: `Its template has the tag ${tag}, which isn’t evaluated.` };
    else if (inside !== undefined) {
      const expression = inside.trim();
      const [literal, single, double] = quoted.exec(expression) ?? [];
      if (before === '-') text = text.trimEnd();
      trimsNext = after === '-';
      if (literal !== undefined) {
        text += single ?? double ?? '';
        continue;
      }
      if (!path.test(expression)) {
        const used = filter.exec(expression.replaceAll(/"[^"]*"|'[^']*'/g, '""'))?.[1];
        return {
          refused:
            used === undefined
              ? `Its template has the expression ${shorten(expression)}, which isn’t evaluated.`
              : `Its template has the filter ${used}, which isn’t evaluated.`,
        };
      }
      const value = valueAt(expression, variables);
      if (typeof value === 'string' && value.startsWith('file://'))
        return { refused: `Its variable ${expression} is in ${value}, which isn’t opened.` };
      if (value === undefined) unknown.push(expression);
      text += value === undefined ? whole : printed(value);
    }
  }
  add(template.slice(from));
  return { text, unknown };
}

const shorten = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 59)}…`);

/**
 * The variables of a test with the plain references between them replaced, and without a line break
 * at the end, as promptfoo does before it renders (`resolveVariables` in src/evaluatorHelpers.ts).
 */
export function resolveVariables(given: JsonObject): JsonObject {
  const variables = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/\n$/, '') : value,
    ]),
  );
  for (let round = 0, changed = true; changed && round < maxRounds; round += 1) {
    changed = false;
    for (const [name, value] of Object.entries(variables)) {
      const [written, other] =
        typeof value === 'string' ? (/\{\{\s*(\w+)\s*\}\}/.exec(value) ?? []) : [];
      if (typeof value !== 'string' || written === undefined || other === undefined) continue;
      if (!Object.hasOwn(variables, other)) continue;
      variables[name] = value.replace(written, () => printed(variables[other] ?? null));
      changed = true;
    }
  }
  return variables;
}

/**
 * Renders a prompt: twice, as promptfoo does, because a variable may hold a template. Paths are
 * replaced; what would have to be evaluated is refused by its name, and nothing is run or opened.
 */
export function renderTemplate(template: string, variables: JsonObject): Rendered {
  const first = renderOnce(template, variables);
  return 'refused' in first ? first : renderOnce(first.text, variables);
}

export function renderValue(
  value: JsonValue,
  variables: JsonObject,
): { value: JsonValue } | { refused: string } {
  if (typeof value === 'string') {
    const rendered = renderOnce(value, variables);
    return 'refused' in rendered ? rendered : { value: rendered.text };
  }
  if (value === null || typeof value !== 'object') return { value };
  const names = Object.keys(value);
  const items = Object.values(value).map((each) => renderValue(each, variables));
  const refused = items.find((each) => 'refused' in each);
  if (refused !== undefined) return refused;
  const values = items.map((each) => ('value' in each ? each.value : null));
  return {
    value: Array.isArray(value)
      ? values
      : Object.fromEntries(names.map((name, at) => [name, values[at] ?? null])),
  };
}

export const isTemplate = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? /\{[{%#]/.test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(isTemplate);
