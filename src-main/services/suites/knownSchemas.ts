import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { Store } from '../../store/store.ts';
import { storedTools } from '../servers/storedTools.ts';
import type { SchemasByServer } from './caseText.ts';
import type { ListedTool } from './exchange/toolCatalog.ts';
import type { SchemaOf } from './suiteProblems.ts';

/**
 * Looks up input schemas in the last listings of the registered servers. Each listing is read once,
 * on first use.
 */
export function knownSchemas(store: Store): SchemaOf {
  const byServer = new Map<string, ReadonlyMap<string, JsonObject>>();
  let ids: ReadonlyMap<string, string> | null = null;

  const read = (server: string): ReadonlyMap<string, JsonObject> => {
    ids ??= new Map(store.servers.list().map(({ id, name }) => [name, id]));
    const id = ids.get(server);
    const stored = id === undefined ? null : storedTools(store, id);
    return new Map(stored?.snapshot.tools.map(({ name, inputSchema }) => [name, inputSchema]));
  };

  return ({ server, tool }) => {
    let tools = byServer.get(server);
    if (tools === undefined) byServer.set(server, (tools = read(server)));
    return tools.get(tool) ?? null;
  };
}

/** All tools of a registered server by its last listing, without their texts. */
export function listedToolsOf(store: Store, server: string): ListedTool[] {
  const id = store.servers.list().find(({ name }) => name === server)?.id;
  const tools = id === undefined ? [] : (storedTools(store, id)?.snapshot.tools ?? []);
  return tools.map(({ name, annotations, inputSchema: { required } }) => ({
    name,
    readOnly: annotations?.['readOnlyHint'] === true,
    required: Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [],
  }));
}

/** The tools of all registered servers, for a text that is read in a worker. */
export const listedTools = (store: Store): ReadonlyMap<string, ListedTool[]> =>
  new Map(store.servers.list().map(({ name }) => [name, listedToolsOf(store, name)]));

/**
 * The schemas for a text that is read in a worker: only those of tools whose names occur in it,
 * because all schemas would be too much to send.
 */
export async function schemasMentionedIn(store: Store, text: string): Promise<SchemasByServer> {
  const yieldIfDue = createYielder();
  const schemas = new Map<string, ReadonlyMap<string, JsonObject>>();
  for (const { id, name: server } of store.servers.list()) {
    const named: { name: string; inputSchema: JsonObject }[] = [];
    for (const tool of storedTools(store, id)?.snapshot.tools ?? []) {
      if (text.includes(tool.name)) named.push(tool);
      await yieldIfDue();
    }
    if (named.length > 0)
      schemas.set(server, new Map(named.map(({ name, inputSchema }) => [name, inputSchema])));
  }
  return schemas;
}
