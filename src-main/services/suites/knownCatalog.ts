import type { Store } from '../../store/store.ts';
import { createCatalog, type ToolCatalog } from './exchange/toolCatalog.ts';
import { listedToolsOf } from './knownSchemas.ts';
import type { SchemaOf } from './suiteProblems.ts';

/** The registered servers whose last listing has a tool of a name. */
export function knownCatalog(store: Store, schemaOf: SchemaOf): ToolCatalog {
  let servers: readonly string[] | null = null;
  return createCatalog(
    (tool) => {
      servers ??= store.servers.list().map(({ name }) => name);
      return servers.filter((server) => schemaOf({ server, tool }) !== null);
    },
    (server) => listedToolsOf(store, server),
  );
}
