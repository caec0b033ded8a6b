import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerFileInput } from '../../../../src-shared/domain/serverImport.ts';

/** An entry as clients write it, with what its user has to give. */
export type Launch =
  { entry: JsonObject; inputs: ServerFileInput[]; warnings: string[] } | { refused: string };

/** The first of several spellings that holds a text. */
export function textOf(value: JsonObject, ...names: string[]): string | null {
  for (const name of names) {
    const found = value[name];
    if (typeof found === 'string' && found !== '') return found;
  }
  return null;
}

export function listOf(value: JsonObject, ...names: string[]): JsonObject[] {
  const found = names.map((name) => value[name]).find((each) => Array.isArray(each));
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

const isTrue = (value: JsonObject, ...names: string[]): boolean =>
  names.some((name) => value[name] === true);

/** Turns what a registry entry leaves to its user into inputs, and gathers them. */
export class RegistryValues {
  readonly inputs: ServerFileInput[] = [];
  readonly warnings: string[] = [];

  /** Null where the user may leave it out and no value is given. */
  valueOf(field: JsonObject, id: string): string | null {
    const given = textOf(field, 'value') ?? textOf(field, 'default');
    if (given !== null) return this.fill(given, field);
    if (!isTrue(field, 'isRequired', 'is_required')) {
      this.warnings.push(`${id} is optional and is left out.`);
      return null;
    }
    return this.#input(id, field);
  }

  /** `{name}` in a text stands for a variable of the field. */
  fill(text: string, field: JsonObject): string {
    const variables = isJsonObject(field['variables']) ? field['variables'] : {};
    return text.replace(/(?<!\$)\{([A-Za-z_][\w-]*)\}/g, (whole, name: string) => {
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (!isJsonObject(variable)) return whole;
      return textOf(variable, 'value') ?? this.#input(name, variable);
    });
  }

  #input(id: string, field: JsonObject): string {
    if (!this.inputs.some((input) => input.id === id)) {
      this.inputs.push({
        id,
        description: textOf(field, 'description'),
        password: isTrue(field, 'isSecret', 'is_secret'),
        default: textOf(field, 'default'),
      });
    }
    return `\${input:${id}}`;
  }
}
