import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import {
  findArgumentSecrets,
  findSecrets,
  mask,
  memberName,
  withoutOverlaps,
  type FoundSecret,
} from './findSecrets.ts';

export interface ExtractOptions {
  /** The server's name, which prefixes the name of each of its secrets. */
  server: string;
  /** Texts that a user marked as secret. */
  marked?: readonly string[];
  /** Secret names that other servers use. */
  taken?: ReadonlySet<string>;
  /**
   * True for a file from another program: a reference in it must not reach the secret of another
   * server.
   */
  isForeign?: boolean;
}

/** A configuration without credentials, and the credentials. */
export interface ExtractedServer {
  config: ServerConfig;
  extra: JsonObject;
  /** Value by secret name. Never stored with the configuration. */
  values: ReadonlyMap<string, string>;
}

const secretReference = /\$\{secret:([^}]*)\}/g;

/** Names of all secret references in a value, without duplicates. */
export function secretNames(value: JsonValue | ServerConfig): string[] {
  return [
    ...new Set([...JSON.stringify(value).matchAll(secretReference)].map(([, name = '']) => name)),
  ];
}

/**
 * Replaces every credential with `${secret:name}`. Credentials are recognized by the name and the
 * structure of a value, or because the user marked them (docs/rules.md §1).
 */
export function extractSecrets(
  config: ServerConfig,
  extra: JsonObject,
  options: ExtractOptions,
): ExtractedServer {
  const extractor = new SecretExtractor(options, notSecretIn(config));
  const found = extractFrom(config, extra, extractor);
  const repeated = [...extractor.values.values()].filter(({ length }) => length >= minRepeated);
  if (repeated.length === 0) return found;
  // The same credential may stand at another place too, where nothing says that it is one.
  extractor.mark(repeated);
  return extractFrom(found.config, found.extra, extractor);
}

/**
 * The configuration as it is shown: credentials masked, references to values that are elsewhere kept.
 */
export function maskSecrets({ config, values }: ExtractedServer): ServerConfig {
  const text = JSON.stringify(config).replace(secretReference, (whole, name: string) =>
    values.has(name) ? mask : whole,
  );
  return JSON.parse(text) as ServerConfig;
}

const notSecretIn = (config: ServerConfig): readonly string[] =>
  'notSecret' in config ? (config.notSecret ?? []) : [];

/** Shorter values may be ordinary words, which are not replaced wherever they stand. */
const minRepeated = 12;

function extractFrom(
  config: ServerConfig,
  extra: JsonObject,
  extractor: SecretExtractor,
): ExtractedServer {
  if (config.transport === 'skills')
    return { config, extra: extractor.object(extra), values: extractor.values };
  if (config.transport !== 'stdio')
    return {
      config: {
        ...config,
        url: extractor.text(config.url, 'address'),
        headers: extractor.pairs(config.headers),
      },
      extra: extractor.object(extra),
      values: extractor.values,
    };
  return {
    config: {
      ...config,
      command: extractor.text(config.command, 'command'),
      args: extractor.args(config.args),
      cwd: config.cwd === null ? null : extractor.text(config.cwd, 'folder'),
      env: extractor.pairs(config.env),
    },
    extra: extractor.object(extra),
    values: extractor.values,
  };
}

class SecretExtractor {
  readonly values = new Map<string, string>();
  readonly #options: ExtractOptions;
  readonly #notSecret: readonly string[];
  #marked: readonly string[] = [];

  constructor(options: ExtractOptions, notSecret: readonly string[]) {
    this.#options = options;
    this.#notSecret = notSecret;
    this.mark(options.marked ?? []);
  }

  /** From now on these texts are credentials wherever they stand. */
  mark(texts: readonly string[]): void {
    this.#marked = [...this.#marked, ...texts]
      .filter((text) => text !== '')
      .sort((a, b) => b.length - a.length);
  }

  pairs(pairs: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(pairs).map(([name, value]) => [name, this.text(value, name)]),
    );
  }

  args(args: readonly string[]): string[] {
    const found = findArgumentSecrets(args);
    return args.map((argument, index) => this.#hide(argument, 'argument', found[index] ?? []));
  }

  object(value: JsonObject, depth = 0, map = ''): JsonObject {
    // An item that names itself: `{"name": "X-API-Key", "value": …}`.
    const own = value['name'] ?? value['key'] ?? value['header'];
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        this.#json(
          memberName(map, name === 'value' && typeof own === 'string' ? own : name),
          item,
          depth,
        ),
      ]),
    );
  }

  text(text: string, name: string): string {
    return this.#hide(text, name, findSecrets(name, text));
  }

  #hide(text: string, key: string, found: readonly FoundSecret[]): string {
    const wanted = found.filter(
      ({ start, end }) => !this.#notSecret.includes(text.slice(start, end)),
    );
    let hidden = '';
    let at = 0;
    for (const { start, end, name } of withoutOverlaps([...wanted, ...this.#markedIn(text, key)])) {
      hidden += this.#renameReferences(text.slice(at, start));
      hidden += this.#reference(name, text.slice(start, end));
      at = end;
    }
    return hidden + this.#renameReferences(text.slice(at));
  }

  /** Marked texts outside of references: one may happen to be part of a reference's name. */
  #markedIn(text: string, name: string): FoundSecret[] {
    if (this.#marked.length === 0) return [];
    const wanted = this.#marked.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return [...text.matchAll(new RegExp(`\\$\\{[^}]*\\}|${wanted.join('|')}`, 'g'))].flatMap(
      ({ index, 0: part }) =>
        part.startsWith('${') ? [] : [{ start: index, end: index + part.length, name }],
    );
  }

  #json(name: string, value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'string') return this.text(value, name);
    if (depth > 100 || typeof value !== 'object' || value === null) return value;
    return Array.isArray(value)
      ? value.map((item) => this.#json(name, item, depth + 1))
      : isJsonObject(value)
        ? this.object(value, depth + 1, name)
        : value;
  }

  #renameReferences(text: string): string {
    if (this.#options.isForeign !== true) return text;
    // A reference that was just inserted for a parameter of an address is our own.
    return text.replace(secretReference, (whole, name: string) =>
      this.values.has(name)
        ? whole
        : `\${secret:${this.#freeName(name.slice(name.lastIndexOf('/') + 1))}}`,
    );
  }

  #reference(key: string, value: string): string {
    const known = [...this.values].find(([, each]) => each === value)?.[0];
    const name = known ?? this.#freeName(key, value);
    this.values.set(name, value);
    return `\${secret:${name}}`;
  }

  #freeName(key: string, value?: string): string {
    const clean = (text: string): string => text.replace(/[{}\p{Cc}]+/gu, '').replace(/^-+/, '');
    const preferred = `${clean(this.#options.server)}/${clean(key) || 'secret'}`;
    const isTaken = (name: string): boolean =>
      (this.#options.taken?.has(name) ?? false) ||
      (this.values.has(name) && this.values.get(name) !== value);
    if (!isTaken(preferred)) return preferred;
    for (let count = 2; ; count += 1)
      if (!isTaken(`${preferred}-${count}`)) return `${preferred}-${count}`;
  }
}
