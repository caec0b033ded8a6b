import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { jsonObject, jsonValue } from '../domain/json.ts';
import { protocolMessages } from '../domain/protocolMessage.ts';
import { server, serverInput, serverVariable } from '../domain/server.ts';
import {
  knownServerFile,
  serverExport,
  serverExportFormat,
  serverFileFormat,
  serverImportPreview,
} from '../domain/serverImport.ts';
import { itemKind, snapshotItem } from '../domain/serverItem.ts';
import { listingRequester, serverListing, tool } from '../domain/tool.ts';
import { serverReliability } from '../domain/toolReliability.ts';
import { procedure } from './base.ts';

const byId = z.strictObject({ id: z.string() });

/**
 * What the server said about itself when it was last reached by a check or a listing; null if it
 * was not, or did not say.
 */
const serverGreeting = serverListing.pick({
  instructions: true,
  protocolVersion: true,
  serverInfo: true,
});

const listedTool = tool.extend({
  hash: z.string(),
  /** The first listing of its server that had a tool of this name. */
  createdAt: z.string(),
  /** When its text changed last: the first listing since which it was exactly this. */
  lastUpdated: z.string(),
  /**
   * In cl100k_base over the text as received; null while a large tool is counted in the background,
   * and where it can't be counted.
   */
  tokenCount: z.number().int().nullable(),
  /** Only for a skill, if it is counted: tokens of its body, which a model loads when it uses it. */
  bodyTokens: z.number().int().optional(),
  /**
   * True if its text is larger than the settings say is counted at once. A screen then receives
   * the beginning of the description, and no schema of that size.
   */
  large: z.boolean(),
  /** Why its tokens can't be counted; null if they are or will be. */
  countProblem: z.string().nullable(),
});

/** `tokenCount`: in cl100k_base over the text as received; null until it is counted. */
const listedItem = snapshotItem.extend({ tokenCount: z.number().int().nullable() });

const listing = z.object({
  serverId: z.string(),
  snapshotId: z.string(),
  listedAt: z.string(),
  askedBy: listingRequester,
  listing: serverListing,
  tools: z.array(listedTool),
  /** Prompts, resources and resource templates. No sum of the tools includes them. */
  items: z.array(listedItem),
});
export type Listing = z.infer<typeof listing>;

const serverOverview = server.extend({
  /** Tools of the last successful listing; null if there is none. */
  toolCount: z.number().int().nullable(),
  listedAt: z.string().nullable(),
  /** Tools that changed since a person last saw them, as a check or an evaluation found. */
  changedTools: z.number().int(),
  /** The same for prompts, resources and resource templates. */
  changedItems: z.number().int(),
  /** References without a value; the server cannot start until they have one. */
  unresolved: z.array(z.string()),
});
export type ServerOverview = z.infer<typeof serverOverview>;

/** What a deletion also deletes, shown before it happens. */
const serverRemoval = z.object({
  cases: z.number().int(),
  suites: z.array(z.string()),
  listings: z.number().int(),
});

/** A stdio server that was started and has not answered the handshake yet. */
const startingServer = z.object({
  /** Its name. */
  server: z.string(),
  elapsedMs: z.number().int(),
  /** The last line that it wrote besides messages; empty if it wrote nothing. */
  wrote: z.string(),
});

export const undoToken = z.object({ token: z.string(), what: z.string() });
export type UndoToken = z.infer<typeof undoToken>;

export const callResult = z.object({
  isError: z.boolean(),
  content: z.array(jsonValue),
  structuredContent: jsonValue.nullable(),
  durationMs: z.number().int(),
});

/** A larger file is rejected before it is parsed. A bundle is passed as base64. */
export const maxServerFileLength = 64 * 1024 * 1024;
const fileText = z.strictObject({
  fileName: z.string().max(1000),
  text: z.string().max(maxServerFileLength),
  /** Texts of the files that it names, by the name that it gives them. */
  files: z.record(z.string().max(1000), z.string().max(1_048_576)).optional(),
});
/** One of `knownFiles`. Its text never leaves the core. */
const knownFile = z.strictObject({ path: z.string().min(1).max(4000) });
const importChoice = {
  names: z.array(z.string()).max(1000),
  /** Entries that replace the server that they conflict with. */
  replace: z.array(z.string()).max(1000).optional(),
  /** Values that the user entered for the inputs of an entry. */
  values: z
    .array(
      z.strictObject({ entry: z.string(), reference: z.string(), value: z.string().max(65_536) }),
    )
    .max(1000)
    .optional(),
  /** Secrets of an entry, by name, that are none: they stay readable in its configuration. */
  notSecret: z
    .array(z.strictObject({ entry: z.string(), secret: z.string() }))
    .max(1000)
    .optional(),
};

/**
 * A server is checked when it is added or changed, which stores no tools unless that is asked for.
 * `secrets`: texts in the configuration to keep in the vault, in addition to those that look like
 * credentials.
 */
const serverInputWithSecrets = serverInput.extend({
  secrets: z.array(z.string().min(1).max(65_536)).max(100).optional(),
  /** True lists and stores the tools as soon as the server has answered. */
  listTools: z.boolean().optional(),
});

export const serverDetail = z.object({
  server,
  greeting: serverGreeting,
  listing: listing.nullable(),
  /**
   * How often the server announced a changed tool list since its last listing, and when last; null
   * if it did not.
   */
  listChanges: z.object({ times: z.number().int(), at: z.string() }).nullable(),
  variables: z.array(serverVariable),
  /** The file that it was imported from; null if it was entered by hand. */
  origin: z.object({ format: serverFileFormat, fileName: z.string().nullable() }).nullable(),
  /** Null for a local server, which needs no sign-in. */
  signIn: z.enum(['none', 'waiting', 'signed in']).nullable(),
});

const changeCounts = z.object({
  added: z.number().int(),
  removed: z.number().int(),
  changed: z.number().int(),
  instructions: z.boolean(),
  /** Prompts, resources and templates that were added, removed or changed. */
  items: z.number().int(),
});
/** One state of a server's tools, for as long as it lasted. */
const listingState = z.object({
  snapshotId: z.string(),
  /** When it was first and last seen consecutively. */
  firstAt: z.string(),
  lastAt: z.string(),
  /** Whether a person listed it, or only evaluations did. */
  askedBy: listingRequester,
  tools: z.number().int(),
  /** Compared with the previous state; null for the first one. */
  changes: changeCounts.nullable(),
});
export type ListingState = z.infer<typeof listingState>;

/** A changed part of a tool: its name in MCP and both texts, null if it was missing. */
const changedPart = z.object({
  part: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
/** `name`: the name of a prompt, or the address of a resource or a template. */
const itemName = z.object({ kind: itemKind, name: z.string() });
export const listingChanges = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.object({ name: z.string(), parts: z.array(changedPart) })),
  instructions: changedPart.nullable(),
  /** Prompts, resources and templates, of the kinds that both states know. */
  items: z.object({
    added: z.array(itemName),
    removed: z.array(itemName),
    changed: z.array(itemName.extend({ parts: z.array(changedPart) })),
  }),
});
export type ListingChanges = z.infer<typeof listingChanges>;

export const serversContract = {
  list: procedure.output(z.array(serverOverview)),
  /** Of a large tool and of long instructions, the answer holds the beginning, unless `whole` is set. */
  get: procedure.input(byId.extend({ whole: z.boolean().optional() })).output(serverDetail),
  create: procedure.input(serverInputWithSecrets).output(server),
  update: procedure.input(serverInputWithSecrets.extend({ id: z.string() })).output(server),
  /**
   * Sets the value of an input or a secret of the configuration; null removes it. Returns the state
   * of all of them.
   */
  setValue: procedure
    .input(
      z.strictObject({
        id: z.string(),
        reference: z.string().max(1000),
        value: z.string().min(1).max(65_536).nullable(),
      }),
    )
    .output(z.array(serverVariable)),
  previewRemoval: procedure.input(byId).output(serverRemoval),
  remove: procedure.input(byId).output(undoToken),
  /** Connects and stores the status, then lists the tools and stores them, or why it can't. */
  check: procedure.input(byId).output(server),
  /** The servers that are starting now, whoever started them; the longest first. */
  starting: procedure.output(z.array(startingServer)),
  /** Marks the latest tools as seen; before that, they count as changed. */
  markReviewed: procedure.input(byId).output(z.object({ reviewed: z.boolean() })),
  /**
   * Lists the server's tools now and stores them. Of a large tool and of long instructions, the answer holds the beginning, unless `whole` is set.
   */
  refreshTools: procedure
    .input(z.strictObject({ id: z.string(), whole: z.boolean().optional() }))
    .output(listing),
  /** The states of its tools, newest first. */
  history: procedure
    .input(z.strictObject({ id: z.string(), limit: z.number().int().min(1).max(200).default(50) }))
    .output(z.array(listingState)),
  /** What it did with the calls of task evaluations that executed its tools, by tool. */
  reliability: procedure.input(byId).output(serverReliability),
  /** What changed between two states of its tools. */
  changes: procedure
    .input(z.strictObject({ id: z.string(), before: z.string(), after: z.string() }))
    .output(listingChanges),
  /**
   * Starts a sign-in to a remote server and returns the address to open in a browser. The server is
   * checked afterwards.
   */
  signIn: procedure.input(byId).output(z.object({ url: z.string() })),
  signOut: procedure.input(byId).output(server),
  callTool: procedure
    .input(z.strictObject({ id: z.string(), tool: z.string(), arguments: jsonObject }))
    .output(callResult),
  /**
   * What this program and the server send each other on the connections that checks, listings and
   * single calls open: all that is kept after `afterSeq`, then what follows. `search` leaves out
   * lines whose text doesn't contain it. Nothing of it is stored.
   */
  messages: procedure
    .input(
      z.strictObject({
        id: z.string(),
        afterSeq: z.number().int().min(0).default(0),
        search: z.string().max(500).default(''),
      }),
    )
    .output(eventIterator(protocolMessages)),
  /** The text of one line, as far as it is kept, without secrets. */
  message: procedure
    .input(z.strictObject({ id: z.string(), seq: z.number().int() }))
    .output(z.object({ text: z.string() })),
  clearMessages: procedure.input(byId).output(z.object({ cleared: z.number().int() })),
  /** Calls a tool once more with the arguments of a call in the log, on a connection of its own. */
  repeatCall: procedure
    .input(z.strictObject({ id: z.string(), seq: z.number().int() }))
    .output(callResult),
  /**
   * Reads the configuration of another program, a bundle or an install link. Nothing is written or
   * started.
   */
  previewImport: procedure.input(z.union([fileText, knownFile])).output(serverImportPreview),
  /**
   * Registers the chosen entries of the preview, all or none. Nothing is started. `unchanged` were
   * already registered.
   */
  import: procedure
    .input(z.union([fileText.extend(importChoice), knownFile.extend(importChoice)]))
    .output(
      z.object({
        imported: z.array(server),
        replaced: z.array(z.string()),
        unchanged: z.array(z.string()),
      }),
    ),
  export: procedure
    .input(
      z.strictObject({ ids: z.array(z.string()).min(1).max(1000), format: serverExportFormat }),
    )
    .output(serverExport),
  /** Configuration files of other programs on this machine. Only their size is read. */
  knownFiles: procedure.output(z.array(knownServerFile)),
};
