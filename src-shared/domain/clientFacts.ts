import { z } from 'zod';

/**
 * How a fact is known: by running the client against a probe server (`scripts/clients`), from its
 * documentation, or from a report of its users.
 */
const factSource = z.strictObject({
  how: z.enum(['measured', 'documented', 'reported']),
  /** An address; null if it was measured. */
  source: z.url().nullable(),
  /** The day it was measured or read. */
  date: z.iso.date(),
});

/** How the name of a tool becomes the name that the model sees. */
const naming = z.strictObject({
  /** With `{server}` and `{tool}`, each cleaned for itself. */
  pattern: z.string(),
  /** The name of the group that holds the tools of one server; null if there are no groups. */
  namespace: z.string().nullable(),
  /** The characters that stay, as the inside of a character class; null if all stay. */
  kept: z.string().nullable(),
  /** What stands for every other UTF-16 unit, character or run of them; punycode comes first. */
  replacement: z.string(),
  per: z.enum(['unit', 'character', 'run', 'punycode']),
  /** What stands for a name that is empty. */
  empty: z.string(),
  /** The hash that is added after "_", and when. */
  hash: z.enum(['fnv1a-base36-7', 'sha1-hex-8', 'sha1-hex-12']).nullable(),
  hashed: z.enum(['changed', 'equal']).nullable(),
  /** The most characters of the whole name; null if there is no limit. */
  longest: z.number().int().nullable(),
  /** What happens to a longer one. */
  beyond: z.enum(['kept', 'middle', 'hash', 'cut']),
  /** Which of several tools with one cleaned name stays. */
  equal: z.enum(['first', 'last', 'both', 'last-by-name']),
  /** Which stays of one name that a server lists twice. */
  twice: z.enum(['first', 'last', 'both', 'none-of-server']),
});
export type Naming = z.infer<typeof naming>;

/** What is changed in every schema, each described at its function in `presentation/schemas`. */
export const schemaRewrites = [
  'clean-unicode',
  'known-members-first',
  'properties-added',
  'nullable-types',
  'wait-for-previous',
  'typed-root',
  'closed-root',
  'without-schema-uri',
  'without-qwen-keywords',
  'root-members-only',
  'constraints-as-text',
  'responses-subset',
] as const;

/** Flaws of a tool for which clients hide it, each described at its function in `presentation/flaws`. */
const listingFlaws = [
  'no-name',
  'no-input-schema',
  'root-type',
  'property-boolean',
  'property-null',
  'property-constructor',
  'required-type',
  'description-type',
  'description-value',
  'title-type',
  'hint-type',
  'annotations-type',
  'output-root-type',
  'root-union',
  'items-list',
  'member-type',
] as const;
export type ListingFlaw = (typeof listingFlaws)[number];

/** What a limit of characters leaves, and what is put at the end. */
const cut = z.strictObject({ characters: z.number().int(), mark: z.string() });

/**
 * What a model reads of a text before it searches: its first line, of at most so many characters; of a
 * longer one these and a mark.
 */
const beginning = z.strictObject({
  longest: z.number().int(),
  characters: z.number().int(),
  mark: z.string(),
});
export type Beginning = z.infer<typeof beginning>;

/** How a model comes to tools. */
const presentation = z.strictObject({
  /** With a request, behind a search, or in code that the model writes, as declarations. */
  kind: z.enum(['flat', 'deferred', 'code']),
  /**
   * What a model reads before it searches, besides the names of servers: of descriptions and the names
   * of their tools, and of instructions; null is nothing. Null with a request that has the tools.
   */
  before: z
    .strictObject({ descriptions: beginning.nullable(), instructions: beginning.nullable() })
    .nullable(),
  /** The tool that finds others, and the one that calls them; null: none, and their own names. */
  search: z.string().nullable(),
  through: z.string().nullable(),
});

/** The clients whose facts `datasets/clients_v1.json` holds, in its order. */
export const clientIds = [
  'claude-code',
  'codex',
  'codex-gpt-5.5',
  'codex-gpt-6.1-sol',
  'gemini-cli',
  'qwen-code',
  'opencode',
  'cline',
  'continue',
  'copilot-cli',
  'cursor',
  'vscode',
  'windsurf',
  'claude-desktop',
  'chatgpt',
  'goose',
] as const;
export type ClientId = (typeof clientIds)[number];

/** How tools are presented: as a client shows them, or `generic`, as providers take them. */
export const presentedAs = z.enum(['generic', ...clientIds]);
export type PresentedAs = z.infer<typeof presentedAs>;

/** What of a result a model reads; null: not known. */
const resultFacts = z.strictObject({
  /** The most characters of a result that is shown whole; null: no limit is known. */
  whole: z.number().int().nullable(),
  /** What is left of a longer one. */
  beyond: z.string().nullable(),
  both: z.enum(['structured', 'text', 'both']).nullable(),
  /** A result that has structuredContent alone. */
  structuredAlone: z.enum(['shown', 'empty']).nullable(),
  image: z.enum(['image', 'text', 'dropped']).nullable(),
  /** A link to a resource. */
  link: z.enum(['shown', 'dropped']).nullable(),
  /** Text without a line break that is longer than 50 KB. */
  longLine: z.enum(['shown', 'empty']).nullable(),
  /** Whether a model reads that a result is an error. */
  error: z.enum(['marked', 'unmarked']).nullable(),
});
export type ResultFacts = z.infer<typeof resultFacts>;

/** Facts that are assumed to be as servers send them, where a client's documentation says nothing. */
const assumedParts = [
  'names',
  'order',
  'descriptions',
  'schemas',
  'hidden tools',
  'instructions',
] as const;

export const clientFacts = z.strictObject({
  id: z.enum(clientIds),
  name: z.string(),
  version: z.string().nullable(),
  /** The models of the client that it holds for; null: all. */
  model: z.string().nullable(),
  known: factSource,
  /** Null: not known; it is assumed that a request has the tools. */
  presentation: presentation.nullable(),
  /** The characters that the name of a server may have, as a character class; null: any. */
  serverNames: z.string().nullable(),
  order: z.enum(['listed', 'server', 'name', 'code-units', 'server-code-units']),
  names: naming,
  description: z.strictObject({
    cut: cut.nullable(),
    trimmed: z.boolean(),
    unicode: z.enum(['kept', 'cleaned']),
    /** What stands where a tool has none, with `{tool}` and `{server}`. */
    missing: z.string(),
  }),
  schema: z.array(z.enum(schemaRewrites)),
  /** For which flaws of a tool all tools of its server, or it alone, don't reach the model. */
  hidesServer: z.array(z.enum(listingFlaws)),
  hidesTool: z.array(z.enum(listingFlaws)),
  /** Where a model reads a server's instructions; null if it doesn't. */
  instructions: z.strictObject({ where: z.string(), cut: cut.nullable() }).nullable(),
  /** The most tools of a request; null if no limit is known. */
  mostTools: z.number().int().nullable(),
  /** Null: nothing of it is known. */
  results: resultFacts.nullable(),
  /** What else is known, one sentence each. */
  notes: z.array(z.string()),
  /** What isn't known of those above; empty for a client that was measured. */
  assumed: z.array(z.enum(assumedParts)),
});
export type ClientFacts = z.infer<typeof clientFacts>;

const facts = clientFacts.shape;
/** A client as the dataset lists it: null is what isn't known. */
export const listedClient = clientFacts.omit({ assumed: true }).extend({
  order: facts.order.nullable(),
  names: facts.names.nullable(),
  description: facts.description.nullable(),
  schema: facts.schema.nullable(),
  hidesServer: facts.hidesServer.nullable(),
  hidesTool: facts.hidesTool.nullable(),
  instructions: z.union([facts.instructions, z.literal('unknown')]),
});
export type ListedClient = z.infer<typeof listedClient>;
