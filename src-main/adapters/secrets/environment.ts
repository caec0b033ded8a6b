import { keyVariableOf } from '../../../src-shared/domain/keys.ts';
import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import { secretPrefix } from './namedSecrets.ts';

const takenFrom = new WeakMap<NodeJS.ProcessEnv, Map<string, string>>();
const keyVariables = new Set(remoteProviders.map(keyVariableOf));
const isSecret = (name: string): boolean => name.startsWith(secretPrefix) || keyVariables.has(name);

/**
 * The environment that this program was started in, keys included. The keys are removed from
 * `process.env`, because a crash report of the runtime contains all of it, and so does every child
 * that is started without an explicit environment.
 */
export function startEnvironment(
  own: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string | undefined>> {
  const taken = takenFrom.get(own) ?? new Map<string, string>();
  takenFrom.set(own, taken);
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || !isSecret(name)) continue;
    taken.set(name, value);
    // oxlint-disable-next-line typescript/no-dynamic-delete -- only this takes a variable out of the process.
    delete own[name];
  }
  return { ...own, ...Object.fromEntries(taken) };
}
