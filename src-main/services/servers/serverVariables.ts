import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ServerConfig, ServerVariable } from '../../../src-shared/domain/server.ts';
import type { ServerFileInput } from '../../../src-shared/domain/serverImport.ts';
import type { KeyPlace } from '../../../src-shared/domain/keys.ts';
import type { StoredServer } from '../../store/servers/servers.ts';
import type { Store } from '../../store/store.ts';
import { expandVariables, inputVariable, referencesIn, type Environment } from './variables.ts';

export interface ServerInputs {
  /** Null if the server is not registered. */
  id: string | null;
  inputs: readonly ServerFileInput[];
  /** Values of inputs that are not passwords. */
  values: Readonly<Record<string, string>>;
}
export type FindInputs = (serverName: string) => ServerInputs;

export function inputsOfServer(server: StoredServer | null): ServerInputs {
  return {
    id: server?.id ?? null,
    inputs: server?.origin?.inputs ?? [],
    values: server?.origin?.values ?? {},
  };
}

/**
 * Vault name of an entered input value. It contains the server id, because every server has its own
 * value.
 */
export const inputSecretName = (serverId: string | null, inputId: string): string =>
  `input/${serverId ?? 'none'}/${inputId}`;

/** Vault name of a reference's value; null for references that only the environment can resolve. */
function vaultName(serverId: string | null, reference: string): string | null {
  const [, kind, name = ''] = /^\$\{(secret|input):(.+)\}$/.exec(reference) ?? [];
  if (kind === undefined) return null;
  return kind === 'secret' ? name : inputSecretName(serverId, name);
}

/**
 * Lists every reference of a configuration with what is known about its value. `findPlace` looks
 * values up in the vault.
 */
export async function describeVariables(
  config: ServerConfig,
  own: ServerInputs,
  environment: Environment,
  findPlace: (name: string) => Promise<KeyPlace | null>,
): Promise<ServerVariable[]> {
  return Promise.all(
    referencesIn(config).map(async (reference): Promise<ServerVariable> => {
      const [, kind, name = ''] = /^\$\{(secret|input):(.+)\}$/.exec(reference) ?? [];
      const key = vaultName(own.id, reference);
      const vault = key === null ? null : await findPlace(key);
      if (kind === 'secret')
        return {
          reference,
          kind,
          resolved: vault !== null,
          place: vault,
          description: null,
          password: true,
        };
      if (kind === 'input') {
        const input = own.inputs.find(({ id }) => id === name);
        const place = vault ?? findInputPlace(name, input, own, environment);
        return {
          reference,
          kind,
          resolved: place !== null,
          place,
          description: input?.description ?? null,
          password: input?.password ?? true,
        };
      }
      const { unresolved } = expandVariables(
        { transport: 'stdio', command: reference, args: [], cwd: null, env: {} },
        environment,
        {},
      );
      const resolved = unresolved.length === 0;
      return {
        reference,
        kind: 'environment',
        resolved,
        place: resolved ? 'environment' : null,
        description: null,
        password: false,
      };
    }),
  );
}

function findInputPlace(
  id: string,
  input: ServerFileInput | undefined,
  own: ServerInputs,
  environment: Environment,
): ServerVariable['place'] {
  if (Object.hasOwn(own.values, id)) return 'workspace';
  if (environment[inputVariable(id)] !== undefined) return 'environment';
  return input !== undefined && input.default !== null ? 'default' : null;
}

/**
 * Stores an entered value: a plain input with its server, everything else in the vault by
 * `storeSecret`.
 */
export function storeValue(
  store: Store,
  server: StoredServer,
  reference: string,
  value: string,
  storeSecret: (name: string) => void,
): StoredServer {
  const name = vaultName(server.id, reference);
  if (name === null || !referencesIn(server.config).includes(reference)) {
    throw new ServiceError('INVALID', {
      thing: `Server ${server.name}`,
      cause: `${reference} takes no value here.`,
      nextStep: 'Choose one of the inputs and secrets that its configuration names.',
      field: 'reference',
    });
  }
  const input = server.origin?.inputs.find(({ id }) => reference === `\${input:${id}}`);
  if (input === undefined || input.password || server.origin === null) {
    storeSecret(name);
    return server;
  }
  const origin = { ...server.origin, values: { ...server.origin.values, [input.id]: value } };
  return store.servers.update(server.id, {
    name: server.name,
    url: server.url,
    config: server.config,
    origin,
  });
}

/** Removes an entered value; `removeSecret` removes it from the vault. */
export function removeValue(
  store: Store,
  server: StoredServer,
  reference: string,
  removeSecret: (name: string) => void,
): StoredServer {
  const name = vaultName(server.id, reference);
  if (name !== null) removeSecret(name);
  const [, id = ''] = /^\$\{input:(.+)\}$/.exec(reference) ?? [];
  const { [id]: removed, ...values } = server.origin?.values ?? {};
  if (server.origin === null || removed === undefined) return server;
  return store.servers.update(server.id, {
    name: server.name,
    url: server.url,
    config: server.config,
    origin: { ...server.origin, values },
  });
}
