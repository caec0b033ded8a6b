import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { JsonPath } from '../../../../src-shared/domain/jsonPointer.ts';

/** The place and the reason why an entry can't be read. */
export class EntryError extends Error {
  readonly path: JsonPath;

  constructor(path: JsonPath, message: string) {
    super(message);
    this.path = path;
  }
}

export interface TakenSetting {
  key: string;
  path: JsonPath;
  value: JsonValue;
}

/** Objects within an entry that hold settings of the connection itself. */
const nestedObjects = new Set(
  (
    'transport config connection connectionparams serverparams requestinit requestoptions ' +
    'transportoptions httpoptions fetchoptions requestconfig request spawnoptions options eventsourceinit http remote stdio auth authentication'
  ).split(' '),
);

/** `params` are those of an address, unless they hold the server itself (OpenAI Agents SDK). */
const isNested = (key: string, value: JsonObject): boolean =>
  nestedObjects.has(plainName(key)) ||
  (plainName(key) === 'params' && ['url', 'command'].some((name) => name in value));

/** One spelling for `http_headers`, `httpHeaders` and `http-headers`. */
export const plainName = (key: string): string => key.replaceAll(/[-_\s]/g, '').toLowerCase();

/**
 * The settings of an entry, under every spelling of their names and in the objects that clients nest
 * them in. What nobody takes is what has no meaning here.
 */
export class EntrySettings {
  /** What was not taken. */
  readonly rest: JsonObject;
  readonly #scopes: { path: JsonPath; object: JsonObject }[] = [];

  constructor(entry: JsonObject) {
    this.rest = structuredClone(entry);
    this.#open([], this.rest);
  }

  #open(path: JsonPath, object: JsonObject): void {
    this.#scopes.push({ path, object });
    for (const [key, value] of Object.entries(object))
      if (path.length < 2 && isJsonObject(value) && isNested(key, value))
        this.#open([...path, key], value);
  }

  /** The first setting with one of these names, as `plainName` writes them; null is no value. */
  peek(...names: string[]): TakenSetting | null {
    for (const name of names)
      for (const { path, object } of this.#scopes)
        for (const [key, value] of Object.entries(object))
          if (value !== null && plainName(key) === name)
            return { key, path: [...path, key], value };
    return null;
  }

  take(...names: string[]): TakenSetting | null {
    const found = this.peek(...names);
    if (found !== null) this.drop(found.path);
    return found;
  }

  /** Every setting with one of these names, wherever it is. */
  takeAll(...names: string[]): TakenSetting[] {
    const all: TakenSetting[] = [];
    for (let next = this.take(...names); next !== null; next = this.take(...names)) all.push(next);
    return all;
  }

  /** The first text; other values under these names are left. */
  takeText(...names: string[]): (TakenSetting & { value: string }) | null {
    const found = this.peek(...names);
    if (found === null || typeof found.value !== 'string' || found.value === '') return null;
    this.drop(found.path);
    return { ...found, value: found.value };
  }

  drop(path: JsonPath): void {
    const last = path.at(-1);
    const parent = path
      .slice(0, -1)
      .reduce<JsonValue | undefined>(
        (value, step) => (isJsonObject(value) ? value[String(step)] : undefined),
        this.rest,
      );
    if (last !== undefined && isJsonObject(parent)) Reflect.deleteProperty(parent, String(last));
    // An object of which everything was taken says nothing more.
    if (path.length > 1 && isJsonObject(parent) && Object.keys(parent).length === 0)
      this.drop(path.slice(0, -1));
  }

  /** Paths of what is left, such as `requestOptions.proxy`. What is empty says nothing. */
  left(): string[] {
    const pathsIn = (object: JsonObject, before: string): string[] =>
      Object.entries(object).flatMap(([key, value]) =>
        isEmpty(key, value)
          ? []
          : isJsonObject(value) && Object.keys(value).length > 0
            ? pathsIn(value, `${before}${key}.`)
            : [`${before}${key}`],
      );
    const all = pathsIn(this.rest, '');
    return all.length <= maxListed
      ? all
      : [...all.slice(0, maxListed), `${all.length - maxListed} more settings`];
  }
}

const maxListed = 50;

/** An empty `oauth` or `auth` turns a sign-in on (fast-agent, Gemini CLI). */
const isEmpty = (key: string, value: JsonValue): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' &&
    Object.keys(value).length === 0 &&
    !/^(?:o?auth2?|authentication)$/.test(plainName(key)));
