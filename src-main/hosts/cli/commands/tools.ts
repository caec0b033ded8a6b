import { counted } from '../../../../src-shared/display/numbers.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import { itemKindNouns } from '../../../../src-shared/domain/itemKinds.ts';
import { define, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import type { ListedOrStored, ToolSource } from '../input/listTools.ts';
import { listTools } from '../input/listTools.ts';
import { table } from '../output/output.ts';
import { readSkills, readUnregistered, startTimeoutFlag, transports } from '../input/targets.ts';

const flags = {
  '--server <name...>': 'registered servers (default: all)',
  '--stdio <command>': 'an unregistered stdio server',
  '--name <name>': 'what an unregistered server is called in its tools (default: how it is given)',
  '--url <url>': 'an unregistered HTTP server',
  '--skills <folder>': 'an unregistered folder of skills',
  '--transport <transport>': {
    about: 'streamable-http or sse',
    default: 'streamable-http',
    of: transports,
  },
  ...startTimeoutFlag,
} as const;

export const tools = define({
  flags,
  example: "tools --stdio 'npx -y " + "@modelcontextprotocol/server-everything' --json",
  async run({ options, ...context }) {
    const source = readSource(options);
    const listed = await listTools(context, source);
    const document = shape(listed, 'registered' in source);
    context.output.answer(document, () =>
      [
        ...document.servers.flatMap((server) =>
          server.status !== 'failed'
            ? []
            : [`${server.name}: ${server.status} (${server.error ?? ''})`],
        ),
        ...emptyLines(document),
        ...(document.tools.length === 0
          ? []
          : [
              table([
                ['tool', 'tokens', 'description'],
                ...document.tools.map((tool) => [
                  tool.tool_id,
                  String(tool.token_count ?? 'not counted'),
                  firstLine(tool.description),
                ]),
              ]),
            ]),
        ...document.rejected.map(
          ({ server, name, reason }) => `rejected ${toolId(server, name)}: ${reason}`,
        ),
        ...itemLines(document),
      ].join('\n'),
    );
    if (document.servers.some(({ status }) => status === 'failed'))
      context.io.setExitCode(exitCodes.incomplete);
  },
});

function readSource(options: OptionsOf<typeof flags>): ToolSource {
  const given = [options.server, options.stdio, options.url, options.skills].filter(
    (value) => value !== undefined,
  );
  if (given.length > 1)
    throw new UsageError(
      "tools: --server, --stdio, --url and --skills can't be combined. Choose one.",
    );
  const own = options.name === undefined ? {} : { name: options.name };
  if (options.skills !== undefined)
    return { name: 'skills', config: readSkills(options.skills), ...own };
  if (options.stdio !== undefined || options.url !== undefined)
    return { ...readUnregistered(options), ...own };
  if (options.name !== undefined)
    throw new UsageError(
      'tools: --name is for --stdio, --url and --skills. Registered servers have a name.',
    );
  if (options.startTimeout !== undefined)
    throw new UsageError(
      'tools: --start-timeout is for --stdio and --url. `touchstone servers edit` sets that of a registered server.',
    );
  return { registered: options.server ?? null };
}

/** Servers that answered with an empty list, and a workspace without servers. */
function emptyLines({ servers, tools, rejected }: ReturnType<typeof shape>): string[] {
  if (servers.length === 0)
    return ['No server is registered. `touchstone servers add` registers one.'];
  return servers.flatMap(({ name, status }) => {
    if (status === 'failed' || tools.some(({ server }) => server === name)) return [];
    const lost = rejected.filter(({ server }) => server === name).length;
    return lost === 0
      ? [`${name} lists no tools.`]
      : [`${name} lists no tool that can be offered; ${counted(lost, 'tool')} rejected.`];
  });
}

/** Prompts, resources and templates below the tools, and why some could not be listed. */
function itemLines({ servers, items }: ReturnType<typeof shape>): string[] {
  const lists = servers.flatMap(({ name, item_lists = [] }) =>
    item_lists.map((list) => ({ ...list, server: name })),
  );
  return [
    ...(items.length === 0
      ? []
      : [
          '',
          table([
            ['prompts and resources', 'kind', 'tokens', 'description'],
            ...items.map((item) => [
              toolId(item.server, item.uri ?? item.name),
              itemKindNouns[item.kind],
              item.token_count === null ? 'not counted' : String(item.token_count),
              firstLine(item.description),
            ]),
          ]),
        ]),
    ...lists.flatMap(({ server, kind, error, rejected }) => [
      ...(error === null
        ? []
        : [`${server}: The ${itemKindNouns[kind]}s could not be listed. ${error}`]),
      ...rejected.map(
        ({ name, reason }) => `rejected ${itemKindNouns[kind]} ${server}:${name}: ${reason}`,
      ),
    ]),
  ];
}

const firstLine = (text: string) => (text.split('\n', 1)[0] ?? '').slice(0, 100);

/** `stored`: it can't be reached, and its tools are those of the listing of `listed_at`. */
function statusOf({ listing, storedAt }: ListedOrStored) {
  if (listing === null) return 'failed';
  return storedAt === null ? 'listed' : 'stored';
}

/** Only registered servers have a history: of others it isn't known when a text changed. */
function shape(listed: readonly ListedOrStored[], isRegistered: boolean) {
  const listings = listed.flatMap(({ listing }) => listing ?? []);
  return {
    servers: listed.map((server) => ({
      name: server.name,
      status: statusOf(server),
      ...(server.error === null ? {} : { error: server.error }),
      ...(server.storedAt === null ? {} : { listed_at: server.storedAt }),
      ...(server.listing?.listing.items && { item_lists: server.listing.listing.items }),
    })),
    tools: listings.flatMap(({ tools }) =>
      tools.map((tool) => ({
        tool_id: toolId(tool.server, tool.name),
        server: tool.server,
        name: tool.name,
        description: tool.description,
        input_schema: tool.inputSchema,
        output_schema: tool.outputSchema,
        ...(tool.malformed && { malformed: tool.malformed }),
        token_count: tool.tokenCount,
        created_at: isRegistered ? tool.createdAt : null,
        last_updated: isRegistered ? tool.lastUpdated : null,
        ...(tool.skill === undefined
          ? {}
          : { skill: { ...tool.skill, body_tokens: tool.bodyTokens ?? null } }),
      })),
    ),
    rejected: listings.flatMap(({ listing }) => listing.rejected),
    /** Prompts, resources and templates; no sum of the tools includes them. */
    items: listings.flatMap(({ items }) =>
      items.map((item) => ({
        server: item.server,
        kind: item.kind,
        name: item.name,
        title: item.title,
        description: item.description,
        uri: item.uri,
        mime_type: item.mimeType,
        arguments: item.arguments,
        token_count: item.tokenCount,
      })),
    ),
  };
}
