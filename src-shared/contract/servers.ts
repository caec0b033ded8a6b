import { z } from 'zod';
import { jsonObject, jsonValue } from '../domain/json.ts';
import { server, serverInput } from '../domain/server.ts';
import { knownServerFile, serverExport, serverExportFormat, serverImportPreview } from '../domain/serverImport.ts';
import { serverListing, tool } from '../domain/tool.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });

/** What the server said of itself when it was last reached, by a check or a listing; nulls where it was not, or did not say. */
export const serverGreeting = serverListing.pick({ instructions: true, protocolVersion: true, serverInfo: true });

export const listing = z.object({
  serverId: z.string(),
  snapshotId: z.string(),
  listedAt: z.string(),
  listing: serverListing,
  /** `tokenCount` is in cl100k_base over the text as received. */
  tools: z.array(tool.extend({ hash: z.string(), tokenCount: z.number().int() })),
});
export type Listing = z.infer<typeof listing>;

export const serverOverview = server.extend({
  /** Tools of the last good listing; null where none was made yet. */
  toolCount: z.number().int().nullable(),
  listedAt: z.string().nullable(),
});
export type ServerOverview = z.infer<typeof serverOverview>;

/** What a deletion takes with it, told before it happens. */
export const serverRemoval = z.object({ cases: z.number().int(), suites: z.array(z.string()), listings: z.number().int() });

export const undoToken = z.object({ token: z.string(), what: z.string() });

export const callResult = z.object({
  isError: z.boolean(),
  content: z.array(jsonValue),
  structuredContent: jsonValue.nullable(),
  durationMs: z.number().int(),
});

/** A file of servers is refused above this size, before it is parsed. A bundle comes as base64. */
export const maximumServerFileLength = 64 * 1024 * 1024;
const fileText = z.strictObject({ fileName: z.string().max(1000), text: z.string().max(maximumServerFileLength) });

export const serversContract = {
  list: procedure.output(z.array(serverOverview)),
  get: procedure.input(byId).output(z.object({ server, greeting: serverGreeting, listing: listing.nullable(), stderr: z.string() })),
  create: procedure.input(serverInput).output(server),
  update: procedure.input(serverInput.extend({ id: z.string() })).output(server),
  previewRemoval: procedure.input(byId).output(serverRemoval),
  remove: procedure.input(byId).output(undoToken),
  check: procedure.input(byId).output(server),
  /** Asks the server for its tools now and keeps the answer as a listing. Never changes the server's status. */
  refreshTools: procedure.input(byId).output(listing),
  callTool: procedure
    .input(z.strictObject({ id: z.string(), tool: z.string(), arguments: jsonObject }))
    .output(callResult),
  /** Reads a configuration of another program, a bundle or an install link. Nothing is written or started. */
  previewImport: procedure.input(fileText).output(serverImportPreview),
  /** Registers the chosen entries of the preview, all or none. Nothing is started; `unchanged` were there already. */
  import: procedure
    .input(fileText.extend({ names: z.array(z.string()).min(1).max(1000) }))
    .output(z.object({ imported: z.array(server), unchanged: z.array(z.string()) })),
  export: procedure.input(z.strictObject({ ids: z.array(z.string()).min(1).max(1000), format: serverExportFormat })).output(serverExport),
  /** Configuration files of other programs on this machine. Only their size is looked at. */
  knownFiles: procedure.output(z.array(knownServerFile)),
  /** The text of one of `knownFiles`; no other file is read. */
  readKnownFile: procedure.input(z.strictObject({ path: z.string() })).output(z.object({ fileName: z.string(), text: z.string() })),
};
