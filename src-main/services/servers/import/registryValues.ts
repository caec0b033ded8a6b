import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';

/**
 * An entry as clients write it, with the values that the user has to enter, or why there is none.
 */
export type Launch =
  { entry: JsonObject; inputs: ServerFileInput[]; warnings: string[] } | { refused: string };

/**
 * The first of several spellings that holds a text. The registry changed from snake case to camel
 * case.
 */
export function firstText(value: JsonObject, ...names: string[]): string | null {
  for (const name of names) {
    const found = value[name];
    if (typeof found === 'string' && found !== '') return found;
  }
  return null;
}

/** The objects in the first of several spellings that holds a list. */
export function firstList(value: JsonObject, ...names: string[]): JsonObject[] {
  const found = names.map((name) => value[name]).find((each) => Array.isArray(each));
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

const isTrue = (value: JsonObject, ...names: string[]): boolean =>
  names.some((name) => value[name] === true);

/**
 * Collects the values that a registry entry leaves to its user and replaces them with input
 * references.
 */
export class RegistryValues {
  readonly inputs: ServerFileInput[] = [];
  readonly warnings: string[] = [];

  /** Null if the field is optional and has no value. */
  resolveField(field: JsonObject, id: string): string | null {
    const given = firstText(field, 'value') ?? firstText(field, 'default');
    if (given !== null) return this.expandVariables(given, field);
    if (!isTrue(field, 'isRequired', 'is_required')) {
      this.warnings.push(`${id} is optional and is left out.`);
      return null;
    }
    return this.#input(id, field);
  }

  /** Replaces `{name}` by the variable of that name in the field. */
  expandVariables(text: string, field: JsonObject): string {
    const variables = isJsonObject(field['variables']) ? field['variables'] : {};
    return text.replace(/(?<!\$)\{([A-Za-z_][\w-]*)\}/g, (whole, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (!isJsonObject(variable)) return whole;
      return firstText(variable, 'value') ?? this.#input(name, variable);
    });
  }

  #input(id: string, field: JsonObject): string {
    if (!this.inputs.some((input) => input.id === id)) {
      this.inputs.push({
        id,
        description: firstText(field, 'description'),
        password: isTrue(field, 'isSecret', 'is_secret'),
        default: firstText(field, 'default'),
      });
    }
    return `\${input:${id}}`;
  }
}
