import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { KeyStatus, RequestSecret, StorePlace } from '../../../src-shared/domain/keys.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import {
  additionNames,
  additionReference,
  type AdditionName,
} from '../../../src-shared/domain/requestAdditions.ts';
import type { Additions, ListedEndpoint } from '../../adapters/llm/request/additions.ts';
import { secretVariable } from '../../adapters/secrets/namedSecrets.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import type { SecretVault } from '../../adapters/secrets/secretVault.ts';
import { sha256 } from '../../runtime/sha256.ts';
import { findSecrets, type FoundSecret } from '../servers/secrets/findSecrets.ts';

const kinds: Readonly<Record<AdditionName, string>> = {
  headers: 'header',
  query: 'query parameter',
  body: 'body field',
};

type KeptEndpoint = Omit<ListedEndpoint, 'provider'>;
type Written = Pick<ListedEndpoint, AdditionName>;

/**
 * The credentials in what a person adds to the requests to a model. Settings are stored, shown and
 * exported, so they only refer to credentials: `${secret:NAME}` of the key store, under the name
 * `model:NAME` there, or `${env:NAME}` of the environment.
 */
export class RequestSecrets {
  readonly #vault: SecretVault;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #guard: Pick<SecretGuard, 'guard'>;

  constructor(
    vault: SecretVault,
    environment: Readonly<Record<string, string | undefined>>,
    guard: Pick<SecretGuard, 'guard'>,
  ) {
    this.#vault = vault;
    this.#environment = environment;
    this.#guard = guard;
  }

  /** What is sent: with the values of all references. Throws INVALID as `ReadAdditions` says. */
  async read(given: ListedEndpoint): Promise<Additions> {
    const written = findWrittenCredential(given, (value) => this.#guard.guard(value));
    if (written !== null)
      throw new ServiceError('INVALID', {
        thing: `The ${written.place}`,
        cause: 'It holds a credential, and settings of models are stored and shown.',
        nextStep:
          `Keep the credential with the keys and write \${secret:${written.name}} in its place, or ` +
          '\${env:NAME} for a variable of the environment.',
        onCommandLine: `The command is \`touchstone keys set model:${written.name} < key.txt\`.`,
        field: written.addition,
      });
    const { headers = {}, query = {}, body = {} } = given;
    const values = new Map<string, string>();
    for (const [reference = '', secret, variable] of referencesIn({ headers, query, body }))
      values.set(reference, await this.#valueOf(reference, secret, variable));
    const fill = (text: string): string =>
      text.replace(additionReference, (whole) => values.get(whole) ?? whole);
    return {
      headers: mapStrings(headers, fill) as Record<string, string>,
      query: mapStrings(query, fill) as Record<string, string>,
      body: mapStrings(body, fill) as JsonObject,
      secretsHash: values.size === 0 ? null : sha256(canonicalJson([...values.values()])),
    };
  }

  /**
   * The same configuration with references in place of credentials, which move to the key store. A
   * credential in the query of the base URL becomes a query parameter.
   */
  async keep<Configuration extends KeptEndpoint>(
    configuration: Configuration,
  ): Promise<Configuration> {
    const kept = withoutQueryCredentials(configuration);
    for (const addition of additionNames) {
      if (kept[addition] === undefined) continue;
      const moved: [string, JsonValue][] = [];
      for (const [name, value] of Object.entries<JsonValue>(kept[addition]))
        moved.push([name, await this.#keepIn(name, value)]);
      Object.assign(kept, { [addition]: Object.fromEntries(moved) });
    }
    return kept;
  }

  /** As above, for a retriever that may ask an embedding model. */
  async keepRetriever<Retriever extends { kind: string }>(
    retriever: Retriever,
  ): Promise<Retriever> {
    return retriever.kind === 'embedding' && 'baseUrl' in retriever
      ? this.keep(retriever as Retriever & KeptEndpoint)
      : retriever;
  }

  /** The same for a plan, which stores nothing: what it keeps is known to it alone. */
  unstored(): RequestSecrets {
    const known = new Map<string, string>();
    const vault: SecretVault = {
      ...this.#vault,
      get: async (name) => known.get(name) ?? this.#vault.get(name),
      set: async (name, value) => {
        this.#guard.guard(value);
        known.set(name, value);
        return 'memory';
      },
    };
    return new RequestSecrets(vault, this.#environment, this.#guard);
  }

  set(name: string, value: string): Promise<StorePlace> {
    return this.#vault.set(name, value);
  }

  /**
   * The names that have a value: those of the key store, and those that `used` names and the
   * environment has.
   */
  async list(used: readonly Written[]): Promise<RequestSecret[]> {
    const named = used.flatMap(({ headers = {}, query = {}, body = {} }) =>
      referencesIn({ headers, query, body }).flatMap(([, secret]) => secret ?? []),
    );
    const names = [...new Set([...(await this.#vault.names()), ...named])].sort();
    const secrets = await Promise.all(
      names.map(async (name) => ({ name, place: await this.#vault.place(name) })),
    );
    return secrets.flatMap(({ name, place }) => (place === null ? [] : [{ name, place }]));
  }

  /** The status can still be `set`, if the environment has a value too. */
  async remove(name: string): Promise<KeyStatus> {
    await this.#vault.remove(name);
    return (await this.#vault.get(name)) === null ? 'not set' : 'set';
  }

  async #keepIn(name: string, value: JsonValue): Promise<JsonValue> {
    if (typeof value === 'string') {
      let text = '';
      let at = 0;
      for (const { start, end, name: found } of findSecrets(name, value)) {
        text += `${value.slice(at, start)}\${secret:${await this.#store(found, value.slice(start, end))}}`;
        at = end;
      }
      return text + value.slice(at);
    }
    if (Array.isArray(value)) return Promise.all(value.map((each) => this.#keepIn(name, each)));
    if (!isJsonObject(value)) return value;
    const members: [string, JsonValue][] = [];
    for (const [key, each] of Object.entries(value))
      members.push([key, await this.#keepIn(key, each)]);
    return Object.fromEntries(members);
  }

  /** Stores a value under the first free name, and returns the name. */
  async #store(found: string, value: string): Promise<string> {
    const preferred = secretNameOf(found);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? preferred : `${preferred}-${count}`;
      const known = await this.#vault.get(name);
      if (known !== null && known !== value) continue;
      if (known === null) await this.#vault.set(name, value);
      return name;
    }
  }

  async #valueOf(
    reference: string,
    secret: string | undefined,
    variable: string | undefined,
  ): Promise<string> {
    const value =
      secret === undefined
        ? (this.#environment[variable ?? '']?.trim() ?? '')
        : ((await this.#vault.get(secret)) ?? '');
    if (value !== '') {
      this.#guard.guard(value);
      return value;
    }
    const problem = secret === undefined ? null : ((await this.#vault.problem?.()) ?? null);
    throw new ServiceError('INVALID', {
      thing: reference,
      cause: problem?.text ?? 'It has no value, so nothing was sent.',
      nextStep:
        secret === undefined
          ? `Set ${variable ?? ''} in the environment that Touchstone starts in.`
          : `Type it in the settings of the model again, or set ${secretVariable(secret)} in the ` +
            'environment that Touchstone starts in.',
      ...(secret !== undefined &&
        (problem === null || problem.locked) && {
          onCommandLine: `The command is \`touchstone keys ${problem === null ? `set model:${secret} < key.txt` : 'unlock'}\`.`,
        }),
      field: 'headers',
    });
  }
}

interface AskedModels {
  models: ModelConfiguration[];
  judge?: ModelConfiguration | null;
  moreJudges?: ModelConfiguration[];
  userModel?: ModelConfiguration | null;
  externalRetriever?: { kind: string } | null | undefined;
}

/** A request to evaluate models, with references in place of credentials, as `keep` puts them. */
export async function withKeptSecrets<Request extends AskedModels>(
  { requestSecrets }: { requestSecrets?: RequestSecrets | undefined },
  request: Request,
): Promise<Request> {
  if (requestSecrets === undefined) return request;
  const models: ModelConfiguration[] = [];
  // One after the other, so that equal credentials get one name.
  for (const model of request.models) models.push(await requestSecrets.keep(model));
  const { judge, moreJudges = [], userModel, externalRetriever } = request;
  const judges: ModelConfiguration[] = [];
  for (const each of moreJudges) judges.push(await requestSecrets.keep(each));
  return {
    ...request,
    models,
    ...(judge && { judge: await requestSecrets.keep(judge) }),
    ...(judges.length > 0 && { moreJudges: judges }),
    ...(userModel && { userModel: await requestSecrets.keep(userModel) }),
    ...(externalRetriever && {
      externalRetriever: await requestSecrets.keepRetriever(externalRetriever),
    }),
  };
}

/** A name for the key store: `Authorization` becomes `authorization`. */
const secretNameOf = (found: string): string =>
  found
    .toLowerCase()
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'secret';

/** The first credential that is written out; null if there is none. */
export function findWrittenCredential(
  given: Written,
  seen: (value: string) => void = () => undefined,
): { addition: AdditionName; place: string; name: string } | null {
  for (const addition of additionNames)
    for (const [name, value] of Object.entries(given[addition] ?? {})) {
      const [found] = stringsIn(name, value).flatMap(([key, text]) =>
        findSecrets(key, text).map((each) => ({ ...each, text })),
      );
      if (found === undefined) continue;
      seen(found.text.slice(found.start, found.end));
      return { addition, place: `${kinds[addition]} ${name}`, name: secretNameOf(found.name) };
    }
  return null;
}

function stringsIn(key: string, value: JsonValue): [key: string, text: string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((each) => stringsIn(key, each));
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, each]) => stringsIn(name, each))
    : [];
}

/** Every reference once: as written, with the name of a secret or of a variable. */
const referencesIn = (value: JsonObject): RegExpMatchArray[] => [
  ...new Map(
    stringsIn('', value).flatMap(([, text]) =>
      [...text.matchAll(additionReference)].map((match): [string, RegExpMatchArray] => [
        match[0],
        match,
      ]),
    ),
  ).values(),
];

function mapStrings(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change));
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, mapStrings(each, change)]),
      )
    : value;
}

/** A copy whose base URL has no credential in its query: it is a query parameter of its own. */
function withoutQueryCredentials<Configuration extends KeptEndpoint>(
  configuration: Configuration,
): Configuration {
  const url = URL.parse(configuration.baseUrl ?? '');
  const moved =
    url === null
      ? []
      : [...url.searchParams].filter(([name, value]) => isWhole(findSecrets(name, value), value));
  if (url === null || moved.length === 0) return { ...configuration };
  for (const [name] of moved) url.searchParams.delete(name);
  return {
    ...configuration,
    baseUrl: url.href,
    query: { ...configuration.query, ...Object.fromEntries(moved) },
  };
}

const isWhole = (found: readonly FoundSecret[], value: string): boolean =>
  found.some(({ start, end }) => end - start === value.length);
