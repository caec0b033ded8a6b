import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { assumedText, foundText, unknownText } from '../../../src-shared/display/clientTexts.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import {
  listedClient,
  type ClientFacts,
  type ClientId,
} from '../../../src-shared/domain/clientFacts.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { MalformedMember, RejectedTool } from '../../../src-shared/domain/tool.ts';
import { changesOf, type PresentedChange } from '../../presentation/changes.ts';
import { completeFacts } from '../../presentation/completeFacts.ts';
import type { RawTool } from '../../presentation/flaws.ts';
import {
  present,
  type HiddenTool,
  type OfferedTool,
  type Presentation,
  type PresentedServer,
} from '../../presentation/present.ts';
import { plainName } from '../../presentation/names.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { yieldToEventLoop } from '../../runtime/yieldToEventLoop.ts';
import { flawText } from './flawTexts.ts';

export interface ClientView {
  client: ClientFacts;
  /** What the model reads of each server's instructions before it searches; null: it isn't known. */
  before: Presentation['before'];
  offered: (OfferedTool & { changes: PresentedChange[] })[];
  hidden: HiddenTool[];
}

let known: ClientFacts[] | null = null;

export const readClientFacts = (): ClientFacts[] =>
  (known ??= z
    .strictObject({ version: z.literal(1), clients: z.array(listedClient) })
    .parse(JSON.parse(readFileSync(join(programFiles.datasets, 'clients_v1.json'), 'utf8')))
    .clients.map(completeFacts));

/** A value of a kind that a member must not have. */
const malformed: Readonly<Record<MalformedMember['found'], RawTool[string]>> = {
  null: null,
  'a boolean': true,
  'a number': 0,
  'a text': '',
  'a list': [],
  'an object': {},
};

/** A tool as its server sent it, as far as clients tell its parts apart. */
function sentTool(tool: AnalysedTool): RawTool {
  const { name, description, outputSchema, annotations } = tool;
  // Of a list without schemas, nothing can be said of them.
  const inputSchema: JsonObject =
    tool.schemaless === undefined ? tool.inputSchema : { type: 'object', properties: {} };
  const sent: Record<string, RawTool[string]> = { name, description, inputSchema };
  if (outputSchema != null) sent.outputSchema = outputSchema;
  if (annotations != null) sent.annotations = annotations;
  for (const { member, found } of tool.malformed ?? []) sent[member] = malformed[found];
  return sent;
}

/**
 * A tool that this program can't offer, as far as its server's list is known; null for one that no
 * server would send, because its file names it wrongly.
 */
function sentReject({ name, reason }: RejectedTool, listed: readonly RawTool[]): RawTool | null {
  const twin = listed.find((one) => one.name === name);
  if (twin !== undefined) return { ...twin };
  if (/has no name/.test(reason)) return { inputSchema: { type: 'object' } };
  return /input ?schema/i.test(reason) ? { name } : null;
}

/** What servers say of themselves, by their names; null or none: it isn't known. */
export type Instructions = ReadonlyMap<string, string | null>;

/** Servers with the tools that they sent, as far as clients tell their parts apart. */
export function sentServers(
  tools: readonly AnalysedTool[],
  rejected: readonly RejectedTool[],
  instructions: Instructions = new Map(),
): PresentedServer[] {
  const servers = new Map<string, RawTool[]>();
  for (const tool of tools) {
    // Skills are no tools of MCP: a client reads them in another way.
    if (tool.skill !== undefined) continue;
    const list = servers.get(tool.server) ?? [];
    servers.set(tool.server, list);
    list.push(sentTool(tool));
  }
  for (const one of rejected) {
    const list = servers.get(one.server) ?? [];
    const sent = sentReject(one, list);
    if (sent === null) continue;
    servers.set(one.server, list);
    list.push(sent);
  }
  return [...servers].map(([name, list]) => ({
    name,
    instructions: instructions.get(name) ?? null,
    tools: list,
  }));
}

export function factsOf(id: ClientId): ClientFacts {
  const found = readClientFacts().find((one) => one.id === id);
  if (found === undefined) throw new Error(`There are no facts of ${id}.`);
  return found;
}

/** Why no client can present the tools to these models; null where one can, or none does. */
export const presentedToAgent = ({
  client,
  models,
}: {
  client?: ClientId | undefined;
  models: readonly Pick<ModelConfiguration, 'provider'>[];
}): { cause: string; nextStep: string } | null =>
  client !== undefined && models.some(({ provider }) => provider === 'agent')
    ? {
        cause: 'An agent presents tools to its model itself.',
        nextStep: 'Present them as no client, or choose models.',
      }
    : null;

/** As which client tools are presented, with what of it is assumed or can't be had. */
export function presentedAsText(id: ClientId): string {
  const facts = factsOf(id);
  const texts = [facts.name, assumedText(facts), foundText(facts)];
  return texts.filter((text) => text !== '').join('. ');
}

/**
 * What each client makes of tools, by its facts.
 *
 * Tools that this program can't offer count: for them a client can hide a whole server.
 */
export function viewsOf(
  tools: readonly AnalysedTool[],
  rejected: readonly RejectedTool[],
  clients: readonly ClientFacts[],
  instructions?: Instructions,
): ClientView[] {
  const sent = sentServers(tools, rejected, instructions);
  return clients.map((client) => {
    const { offered, hidden, before } = present(sent, client);
    return {
      client,
      before,
      offered: offered.map((one) => ({ ...one, changes: changesOf(one, client) })),
      hidden,
    };
  });
}

/** `viewsOf` for every client that is known, client by client; throws the reason of `signal`. */
export async function viewsInTurns(
  tools: readonly AnalysedTool[],
  rejected: readonly RejectedTool[],
  instructions?: Instructions,
  signal?: AbortSignal,
): Promise<ClientView[]> {
  const views: ClientView[] = [];
  for (const client of readClientFacts()) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    views.push(...viewsOf(tools, rejected, [client], instructions));
  }
  return views;
}

const keyOf = (change: PresentedChange): string =>
  change.what === 'schema' ? `${change.how} ${change.at}` : change.what;

/** A tool that is as plain as can be: what is changed of it is changed of every tool. */
const plainTool: RawTool = {
  name: 'plain',
  description: 'Does one thing.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'What to do it with.' } },
    required: ['text'],
  },
};
const ways = new WeakMap<ClientFacts, ReadonlySet<string>>();

/** What a client changes of every tool: that is its way, and not the tool's. */
function wayOf(client: ClientFacts): ReadonlySet<string> {
  const before = ways.get(client);
  if (before !== undefined) return before;
  const { offered } = present([{ name: 'plain', instructions: null, tools: [plainTool] }], client);
  const way = new Set(offered.flatMap((one) => changesOf(one, client).map(keyOf)));
  ways.set(client, way);
  return way;
}

/**
 * What a description says: without the white space at its end, which nobody misses where it is cut, and
 * which the page of a tool doesn't count either.
 */
export const saidBy = ({ description }: RawTool): string =>
  typeof description === 'string' ? description.trimEnd() : '';

/** Whether a client shows only the beginning of a description. */
export const isCut = (
  { description: { cut } }: ClientFacts,
  tool: { description?: RawTool[string] },
): boolean => cut !== null && saidBy({ description: tool.description }).length > cut.characters;

/** The changes of a tool without those that the client makes of every tool. */
export const ownChanges = (
  client: ClientFacts,
  changes: readonly PresentedChange[],
): PresentedChange[] => changes.filter((change) => !wayOf(client).has(keyOf(change)));

/** Why a tool doesn't reach the model, and what to change. */
export const hiddenText = (hidden: HiddenTool, client: ClientFacts): string =>
  `${client.name} ${hiddenWhy(hidden, client)}`;

/** The same without the name of the client, with which it begins. */
export function hiddenWhy({ reason }: HiddenTool, { names, assumed }: ClientFacts): string {
  switch (reason.kind) {
    case 'flaw':
      return `leaves it out: ${flawText(reason.flaw)}`;
    case 'server':
      return `shows no tool of the server, because of "${reason.because}": ${flawText(reason.flaw)}`;
    case 'server-name':
      return "doesn't start a server of this name. Rename it in the client's configuration.";
    case 'name':
      return (
        `shows "${reason.by.server}:${reason.by.tool}" under the same name, ${reason.wireName}. ` +
        `Names must differ in more than the characters that it replaces${names.longest === null ? '' : ` and within ${names.longest} characters`}.`
      );
    case 'too-many':
      return `shows ${counted(reason.most, 'tool')} at most${assumed.includes('order') ? ', and which it leaves out is not documented' : ''}. Offer fewer.`;
  }
}

/**
 * By how many characters a name is longer than a client shows; 0 if it fits. The name of a group and
 * the two characters after it count.
 */
export function charactersBeyond(
  { server, tool }: Pick<OfferedTool, 'server' | 'tool'>,
  { names }: ClientFacts,
): number {
  if (names.longest === null) return 0;
  const group =
    names.namespace === null
      ? 0
      : plainName(server, '', { ...names, pattern: `${names.namespace}__` }).length;
  return Math.max(0, group + plainName(server, tool, names).length - names.longest);
}

/** "3 of 47 tools don't reach the model in Claude Code. 9 descriptions are changed." */
export function viewHeadline({ client, offered, hidden }: ClientView): string {
  const all = offered.length + hidden.length;
  if (client.assumed.length > 0 && hidden.length === 0)
    return `What ${client.name} makes of ${counted(all, 'tool')} is not documented. ${unknownText(client)}`;
  const own = offered.map(({ changes }) => ownChanges(client, changes));
  const of = (what: PresentedChange['what']): number =>
    own.filter((changes) => changes.some((change) => change.what === what)).length;
  const changed = [
    [of('name'), 'name'],
    [of('description'), 'description'],
    [of('schema'), 'schema'],
  ] as const;
  const reach =
    hidden.length === 0
      ? `${all === 1 ? 'The tool reaches' : `All ${all} tools reach`} the model in ${client.name}.`
      : `${hidden.length} of ${counted(all, 'tool')} ${hidden.length === 1 ? "doesn't" : "don't"} reach the model in ${client.name}.`;
  const parts = changed.flatMap(([count, noun]) =>
    count === 0 ? [] : [`${counted(count, noun)} changed`],
  );
  return parts.length === 0 ? reach : `${reach} ${parts.join(', ')}.`;
}
