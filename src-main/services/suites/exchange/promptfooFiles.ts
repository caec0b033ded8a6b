import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import type { NamedFiles } from './caseExchange.ts';
import { testsOfTable } from './promptfooTable.ts';

const isData = (path: string): boolean => /\.(?:ya?ml|jsonl?|csv|txt|md)$/i.test(path);

/** The path in a reference to a file of data; null for any other value. */
function pathOf(value: JsonValue | undefined, hasScheme = false): string | null {
  if (typeof value !== 'string' || /[\n{}]/.test(value)) return null;
  const path = value.replace(/^file:\/\//, '');
  // Without a scheme, a text with spaces is a prompt that ends like a name.
  return isData(path) && (path !== value || (!hasScheme && !/\s/.test(value))) ? path : null;
}

/** The paths of all files of data that a configuration, or a file of it, refers to. */
export function pathsIn(value: JsonValue): string[] {
  const config = isJsonObject(value) ? value : { tests: value };
  const lists = ['tests', 'prompts', 'defaultTest'].flatMap((name) =>
    [config[name] ?? []].flat().flatMap((each) => pathOf(each) ?? []),
  );
  const inside = (each: JsonValue): string[] =>
    typeof each === 'object' && each !== null
      ? Object.values(each).flatMap(inside)
      : [pathOf(each, true) ?? []].flat();
  const { providers: _, ...read } = config;
  return [...new Set([...lists, ...inside(read)])];
}

/** What a file of data holds; undefined if it can't be read. */
function valueOf({ name, text }: { name: string; text: string }): JsonValue | undefined {
  if (/\.(?:txt|md|csv)$/i.test(name)) return text.trim();
  if (/\.jsonl$/i.test(name)) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const values = lines.map((line) => readSourceText(line));
    return values.every((each) => each.readable) ? values.map(({ value }) => value) : undefined;
  }
  const read = readSourceText(text);
  return read.readable ? read.value : undefined;
}

/** The references of a configuration to files, replaced by what is in them. */
export class PromptfooFiles {
  readonly #files: NamedFiles;

  constructor(files: NamedFiles = {}) {
    this.#files = files;
  }

  /** Whether a reference is to files that were given. */
  has(value: JsonValue | undefined): boolean {
    return this.#filesOf(value).length > 0;
  }

  /** What a reference stands for; the value itself if it is none, or its file wasn’t given. */
  open(value: JsonValue): JsonValue {
    const [file, ...more] = this.#filesOf(value);
    return file === undefined || more.length > 0 ? value : (valueOf(file) ?? value);
  }

  /** A test, or what all tests share, with its variables and assertions. */
  openTest(given: JsonObject): JsonObject {
    const { vars, assert } = given;
    const variables = vars === undefined ? undefined : this.open(vars);
    return {
      ...given,
      ...(variables !== undefined && {
        vars: isJsonObject(variables) ? this.#each(variables, this.#variable) : variables,
      }),
      ...(Array.isArray(assert) && {
        assert: assert.map((each) =>
          isJsonObject(each) && each['value'] !== undefined
            ? { ...each, value: this.open(each['value']) }
            : each,
        ),
      }),
    };
  }

  /** The entries of a list of tests, those of files in the place of their reference. */
  *tests(entries: Iterable<JsonValue>): Generator<{ test: JsonValue; label: string; at: number }> {
    let at = 0;
    for (const entry of entries) {
      const files = this.#filesOf(isJsonObject(entry) ? entry['path'] : entry);
      if (files.length === 0) yield { test: entry, label: `tests[${at}]`, at };
      for (const file of files) {
        const read = /\.csv$/i.test(file.name) ? testsOfTable(file.text) : valueOf(file);
        for (const [index, test] of [read ?? entry].flat().entries())
          yield { test, label: `${file.name}[${index}]`, at };
      }
      at += 1;
    }
  }

  /** Prompts, of which a file of text may have several. */
  prompts(value: JsonValue | undefined): JsonValue | undefined {
    if (value === undefined) return undefined;
    return [value].flat().flatMap((each): JsonValue[] => {
      const files = this.#filesOf(isJsonObject(each) ? each['id'] : each);
      return files.length === 0
        ? [each]
        : files.flatMap((file) =>
            /\.(?:txt|md)$/i.test(file.name)
              ? file.text.split(/^---\s*$/m).map((part) => part.trim())
              : [/\.ya?ml$/i.test(file.name) ? JSON.stringify(valueOf(file) ?? '') : file.text],
          );
    });
  }

  #variable = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(this.#variable);
    const [file, ...more] = pathOf(value, true) === null ? [] : this.#filesOf(value);
    if (file === undefined || more.length > 0) return value;
    // Only YAML is read: what else a file holds is the value.
    if (!/\.ya?ml$/i.test(file.name)) return file.text.trim();
    const read = valueOf(file);
    return read === undefined ? value : JSON.stringify(read);
  };

  #each = (object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([name, each]) => [name, change(each)]));

  #filesOf(value: JsonValue | undefined): NamedFiles[string] {
    const path = pathOf(value);
    return path !== null && Object.hasOwn(this.#files, path) ? (this.#files[path] ?? []) : [];
  }
}
