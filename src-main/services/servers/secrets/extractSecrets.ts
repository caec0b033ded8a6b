import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../../src-shared/domain/json.ts';
import type { ServerConfig } from '../../../../src-shared/domain/server.ts';
import { credentialOf, isSecretName, secretParts, isSecretOption } from './secretPatterns.ts';

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
 * Replaces every credential with `${secret:name}`. Credentials are recognized by name, by format,
 * or because the user marked them (docs/rules.md §1).
 */
export function extractSecrets(
  config: ServerConfig,
  extra: JsonObject,
  options: ExtractOptions,
): ExtractedServer {
  const extractor = new SecretExtractor(options);
  const found = extractFrom(config, extra, extractor);
  const repeated = [...extractor.values.values()].filter(({ length }) => length >= minRepeated);
  if (repeated.length === 0) return found;
  // The same credential may stand at another place too, where nothing says that it is one.
  extractor.mark(repeated);
  return extractFrom(found.config, found.extra, extractor);
}

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
        url: extractor.address(config.url),
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
  #marked: readonly string[] = [];

  constructor(options: ExtractOptions) {
    this.#options = options;
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
      Object.entries(pairs).map(([name, value]) => [name, this.#replaceValue(name, value)]),
    );
  }

  /** Handles `--token value`, `--token=value`, and values that have the format of a credential. */
  args(args: readonly string[]): string[] {
    return args.map((argument, index) => {
      const [, option = '', value = ''] = /^(--?[\w.-]+)=(.*)$/s.exec(argument) ?? [];
      if (option !== '' && isSecretOption(option))
        return `${option}=${this.#replaceCredential(option, value)}`;
      const before = args[index - 1] ?? '';
      if (
        before.startsWith('-') &&
        !before.includes('=') &&
        isSecretOption(before) &&
        !argument.startsWith('-')
      )
        return this.#replaceCredential(before, argument);
      return this.text(argument, 'argument');
    });
  }

  address(url: string): string {
    const query = url.replace(
      /([?&])([^=&#]+)=([^&#]*)/g,
      (whole, sign: string, name: string, value: string) =>
        isSecretOption(name) ? `${sign}${name}=${this.#replaceCredential(name, value)}` : whole,
    );
    return this.text(query, 'address');
  }

  object(value: JsonObject, depth = 0): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.#json(name, item, depth)]),
    );
  }

  /** Keeps references unchanged: a marked text may happen to be part of a reference's name. */
  text(text: string, key: string): string {
    const parts = [...this.#marked, ...secretParts(text)].sort((a, b) => b.length - a.length);
    const wanted =
      parts.length === 0
        ? null
        : new RegExp(
            parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'),
            'g',
          );
    return text
      .split(/(\$\{[^}]*\})/)
      .map((piece, index) =>
        index % 2 === 1
          ? this.#renameReferences(piece)
          : wanted === null
            ? piece
            : piece.replace(wanted, (part) => this.#reference(key, part)),
      )
      .join('');
  }

  #replaceValue(name: string, value: string): string {
    return isSecretName(name, value)
      ? this.#replaceCredential(name, value)
      : this.text(value, name);
  }

  #replaceCredential(name: string, value: string): string {
    const credential = credentialOf(value);
    if (credential === null) return this.text(value, name);
    return value.replace(credential, () => this.#reference(name, credential));
  }

  #json(name: string, value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'string') return this.#replaceValue(name, value);
    if (depth > 100 || typeof value !== 'object' || value === null) return value;
    return Array.isArray(value)
      ? value.map((item) => this.#json(name, item, depth + 1))
      : isJsonObject(value)
        ? this.object(value, depth + 1)
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
