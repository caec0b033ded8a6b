import type { ServerConfig, ServerVariable } from '../../../../src-shared/domain/server.ts';
import type { SecretVault } from '../../../adapters/secrets/secretVault.ts';
import type { StoredServer } from '../../../store/servers/servers.ts';
import type { Store } from '../../../store/store.ts';
import {
  describeVariables,
  removeValue,
  inputsOfServer,
  storeValue,
  inputSecretName,
} from '../serverVariables.ts';
import { inputIds, type Environment } from '../variables.ts';
import { extractSecrets, secretNames, type ExtractedServer } from './extractSecrets.ts';

/** The secrets of servers. They are kept in the vault by name, never in the database. */
export class ServerSecrets {
  readonly #store: Store;
  readonly #vault: SecretVault;
  readonly #environment: Environment;
  /** Secrets of servers that were removed in this session, so that removal can be undone. */
  readonly #setAside = new Map<string, string>();

  constructor(store: Store, vault: SecretVault, environment: Environment) {
    this.#store = store;
    this.#vault = vault;
    this.#environment = environment;
  }

  /** Replaces the secrets of a configuration with references whose names no other server uses. */
  hide(
    server: string,
    config: ServerConfig,
    marked: readonly string[],
    id: string | null,
  ): ExtractedServer {
    return extractSecrets(config, {}, { server, marked, taken: this.#namesOfOthers(id) });
  }

  async store(values: ReadonlyMap<string, string>): Promise<void> {
    for (const [name, value] of values) await this.#vault.set(name, value);
  }

  /** Removes the secrets of an earlier configuration that no server uses anymore. */
  async removeUnused(before: ServerConfig): Promise<void> {
    const used = this.#namesOfOthers(null);
    for (const name of secretNames(before)) if (!used.has(name)) await this.#vault.remove(name);
  }

  /** Sets or, with null, removes the value of a reference such as `${input:token}`. */
  async setValue(server: StoredServer, reference: string, value: string | null): Promise<void> {
    const store = this.#store;
    const names: string[] = [];
    if (value === null) removeValue(store, server, reference, (name) => names.push(name));
    else storeValue(store, server, reference, value, (name) => names.push(name));
    for (const name of names)
      await (value === null ? this.#vault.remove(name) : this.#vault.set(name, value));
  }

  variables(server: StoredServer): Promise<ServerVariable[]> {
    return describeVariables(server.config, inputsOfServer(server), this.#environment, (name) =>
      this.#vault.place(name),
    );
  }

  /** Moves the secrets of a removed server into memory, until the session ends. */
  async setAside(server: StoredServer): Promise<void> {
    for (const name of this.#ownNames(server)) {
      const value = await this.#vault.get(name);
      if (value !== null) this.#setAside.set(name, value);
      await this.#vault.remove(name);
    }
  }

  /** Undoes `setAside`. */
  putBack(server: StoredServer): void {
    for (const name of this.#ownNames(server)) {
      const value = this.#setAside.get(name);
      // The vault falls back to memory by itself, so this cannot fail.
      if (value !== undefined) void this.#vault.set(name, value);
    }
  }

  /** Vault names of this server that no other server uses. */
  #ownNames(server: StoredServer): string[] {
    const others = this.#namesOfOthers(server.id);
    const own = [
      ...secretNames(server.config),
      ...inputIds(server.config).map((id) => inputSecretName(server.id, id)),
    ];
    return own.filter((name) => !others.has(name));
  }

  #namesOfOthers(id: string | null): Set<string> {
    const others = this.#store.servers.list().filter((server) => server.id !== id);
    return new Set(others.flatMap(({ config }) => secretNames(config)));
  }
}
