import { nextStepHere } from '../../runtime/window.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { serverConfig, type ServerConfig } from '../../../src-shared/domain/server.ts';
import type { ConnectMcp, McpTarget } from '../../adapters/mcp/mcpConnection.ts';
import type { SecretGuard } from '../../adapters/secrets/secretGuard.ts';
import {
  secretVariable,
  type NamedSecrets,
  type SecretsProblem,
} from '../../adapters/secrets/namedSecrets.ts';
import { redactError, redactConnection } from './secrets/redactConnection.ts';
import { extractSecrets, secretNames } from './secrets/extractSecrets.ts';
import { inputSecretName, type FindInputs } from './serverVariables.ts';
import {
  expandVariables,
  inputIds,
  inputValues,
  inputVariable,
  workspaceVariable,
  type Environment,
} from './variables.ts';

/** Fills in what a configuration refers to; throws if something has no value. */
export type FillTarget = (target: McpTarget, signal: AbortSignal) => Promise<McpTarget>;

/**
 * Creates the function that gives variables and secrets of a configuration their values, at launch
 * and nowhere else. The guard knows every secret afterwards.
 */
export function createFillTarget(
  environment: Environment,
  inputsOf: FindInputs,
  vault: NamedSecrets,
  getToken: GetToken,
  guard: SecretGuard,
): FillTarget {
  return async (target, signal) => {
    const owner = inputsOf(target.name);
    const secrets = await readValues(vault, secretNames(target.config), (name) => name);
    const typed = await readValues(vault, inputIds(target.config), (id) =>
      inputSecretName(owner.id, id),
    );
    const inputs = {
      ...inputValues(target.config, environment, owner.inputs),
      ...owner.values,
      ...typed,
    };
    const { config, unresolved } = expandVariables(target.config, environment, inputs, secrets);
    if (unresolved.length > 0)
      throw missingValues(target.name, unresolved, (await vault.problem?.()) ?? null);
    const checked = serverConfig.safeParse(config);
    if (!checked.success) {
      throw new ServiceError('TROUBLE', {
        thing: `Server ${target.name}`,
        cause:
          `It is invalid after its variables are filled in: ` +
          (checked.error.issues[0]?.message ?? 'unknown shape'),
        nextStep: 'Correct the values of its variables.',
      });
    }
    const secretInputs = owner.inputs
      .filter(({ password }) => password)
      .flatMap(({ id }) => inputs[id] ?? []);
    const token = await signInToken(checked.data, owner.id, getToken, signal);
    const authorizedConfig =
      token === null || !('headers' in checked.data)
        ? checked.data
        : {
            ...checked.data,
            headers: { ...checked.data.headers, Authorization: `Bearer ${token}` },
          };
    const secretValues = [
      ...(token === null ? [] : [token]),
      ...Object.values(secrets),
      ...Object.values(typed),
      ...secretInputs,
      ...credentialsIn(checked.data),
    ];
    // A server can echo its secrets to a model, and the model to us.
    for (const value of secretValues) guard.guard(value);
    return { ...target, config: authorizedConfig, redact: guard.redact };
  };
}

/**
 * Wraps `connect` so that a server is started with its variables filled in. If one has no value,
 * nothing is started. Everything the server says is redacted.
 */
export function connectWithVariables(
  connect: ConnectMcp,
  fill: FillTarget,
  guard: SecretGuard,
): ConnectMcp {
  return async (target, signal) => {
    const filled = await fill(target, signal);
    try {
      return redactConnection(await connect(filled, signal), guard);
    } catch (error) {
      signal.throwIfAborted();
      throw redactError(error, guard);
    }
  };
}

/** Returns the access token of a server's sign-in; null if nobody has signed in. */
export type GetToken = (
  serverId: string,
  url: string,
  signal: AbortSignal,
) => Promise<string | null>;

/** An Authorization header in the configuration takes precedence over a sign-in. */
async function signInToken(
  config: ServerConfig,
  serverId: string | null,
  getToken: GetToken,
  signal: AbortSignal,
): Promise<string | null> {
  if (
    !('headers' in config) ||
    serverId === null ||
    Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization')
  )
    return null;
  return getToken(serverId, config.url, signal);
}

async function readValues(
  vault: NamedSecrets,
  names: readonly string[],
  key: (name: string) => string,
): Promise<Record<string, string>> {
  const found = await Promise.all(
    names.map(async (name): Promise<[string, string][]> => {
      const value = await vault.get(key(name));
      return value === null ? [] : [[name, value]];
    }),
  );
  return Object.fromEntries(found.flat());
}

/**
 * Credentials in the expanded configuration, including those from the environment of this program,
 * recognized by name or structure.
 */
function credentialsIn(config: ServerConfig): string[] {
  return [...extractSecrets(config, {}, { server: '' }).values.values()];
}

/** A server was not started, because its configuration names values that nobody gave. */
export class MissingValues extends ServiceError {}

function missingValues(
  server: string,
  unresolved: readonly string[],
  problem: SecretsProblem | null,
): MissingValues {
  return new MissingValues('TROUBLE', {
    thing: `Server ${server}`,
    cause:
      `${unresolved.join(', ')} ${unresolved.length > 1 ? 'have' : 'has'} no value, so that it ` +
      `was not started.${problem === null ? '' : ` ${problem.text}`}`,
    nextStep:
      `${problem?.locked !== true ? '' : nextStepHere({ window: 'Unlock it under Settings. ', terminal: 'Unlock the keys. ' })}${[...new Set(unresolved.map(adviseOn))].join(' ')} Or write the value into the ` +
      `server's configuration.`,
  });
}

function adviseOn(reference: string): string {
  const inner = reference.slice(2, -1);
  if (inner === '__dirname')
    return 'Unpack the bundle and put its folder in place of ${__dirname}.';
  if (inner.startsWith('workspaceFolder'))
    return `Set ${workspaceVariable} before you start Touchstone.`;
  if (inner.startsWith('input:'))
    return (
      `Enter it on the server's page, or set ${inputVariable(inner.slice('input:'.length))} ` +
      'where the program is started.'
    );
  if (inner.startsWith('secret:'))
    return (
      `Enter it on the server's page, or set ${secretVariable(inner.slice('secret:'.length))} ` +
      'where the program is started.'
    );
  return `Set ${inner.replace(/^env:/, '')} before you start Touchstone.`;
}
