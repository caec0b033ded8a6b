import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../../src-shared/display/numbers.ts';
import { clientFacts, type ClientFacts } from '../../../src-shared/domain/clientFacts.ts';
import type { MalformedMember, RejectedTool, Tool } from '../../../src-shared/domain/tool.ts';
import { changesOf, type PresentedChange } from '../../presentation/changes.ts';
import type { RawTool } from '../../presentation/flaws.ts';
import { present, type HiddenTool } from '../../presentation/present.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { flawTexts } from './flawTexts.ts';

/** What one client makes of a list of tools. */
export interface ClientView {
  client: ClientFacts;
  offered: { server: string; tool: string; wireName: string; changes: PresentedChange[] }[];
  hidden: HiddenTool[];
}

/** The clients whose reading of tools is known, with their facts. */
export const readClientFacts = (): ClientFacts[] =>
  z
    .strictObject({ version: z.literal(1), clients: z.array(clientFacts) })
    .parse(JSON.parse(readFileSync(join(programFiles.datasets, 'clients_v1.json'), 'utf8')))
    .clients;

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
function sentTool({
  name,
  description,
  inputSchema,
  outputSchema,
  annotations,
  ...rest
}: Tool): RawTool {
  const sent: Record<string, RawTool[string]> = { name, description, inputSchema };
  if (outputSchema !== null) sent.outputSchema = outputSchema;
  if (annotations !== null) sent.annotations = annotations;
  for (const { member, found } of rest.malformed ?? []) sent[member] = malformed[found];
  return sent;
}

/**
 * What each client makes of tools, by its facts.
 *
 * Tools that this program can't offer count: for them a client can hide a whole server.
 */
export function viewsOf(
  tools: readonly Tool[],
  rejected: readonly RejectedTool[],
  clients: readonly ClientFacts[],
): ClientView[] {
  const servers = new Map<string, RawTool[]>();
  const add = (server: string, tool: RawTool): void => {
    servers.set(server, [...(servers.get(server) ?? []), tool]);
  };
  for (const tool of tools) add(tool.server, sentTool(tool));
  for (const { server, name } of rejected)
    // A rejected tool has no name, or no input schema.
    add(server, name.startsWith('(tool ') ? { inputSchema: { type: 'object' } } : { name });
  const sent = [...servers].map(([name, list]) => ({ name, instructions: null, tools: list }));
  return clients.map((client) => {
    const { offered, hidden } = present(sent, client);
    return {
      client,
      offered: offered.map((one) => ({
        server: one.server,
        tool: one.tool,
        wireName: one.wireName,
        changes: changesOf(one, client),
      })),
      hidden,
    };
  });
}

/** Why a tool doesn't reach the model, and what to change. */
export function hiddenText({ reason }: HiddenTool, { name, names }: ClientFacts): string {
  switch (reason.kind) {
    case 'flaw':
      return `${name} leaves it out: ${flawTexts[reason.flaw].is} ${flawTexts[reason.flaw].fix}`;
    case 'server':
      return reason.flaw === 'twice'
        ? `${name} shows no tool of the server, because it lists "${reason.because}" twice.`
        : `${name} shows no tool of the server, because of "${reason.because}": ${flawTexts[reason.flaw].is} ${flawTexts[reason.flaw].fix}`;
    case 'server-name':
      return `${name} doesn't start a server of this name. Rename it in the client's configuration.`;
    case 'name':
      return (
        `${name} shows "${reason.by.server}:${reason.by.tool}" under the same name, ${reason.wireName}. ` +
        `Names must differ in more than the characters that it replaces${names.longest === null ? '' : ` and within ${names.longest} characters`}.`
      );
    case 'too-many':
      return `${name} shows ${counted(reason.most, 'tool')} at most. Offer fewer.`;
  }
}

/** "3 of 47 tools don't reach the model in Claude Code. 9 descriptions are changed." */
export function viewHeadline({ client, offered, hidden }: ClientView): string {
  const all = offered.length + hidden.length;
  const of = (what: PresentedChange['what']): number =>
    offered.filter(({ changes }) => changes.some((change) => change.what === what)).length;
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
