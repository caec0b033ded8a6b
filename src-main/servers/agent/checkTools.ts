import { z } from 'zod';
import type { ReceivedTool } from '../../../src-shared/domain/tool.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { isFlagged, minTools, similarityMeasure } from '../../../src-shared/domain/similarity.ts';
import { agentTool, readOnly, type AgentBackend, type Client } from './agentTool.ts';
import type { AllowedFile, ReadAllowed } from './allowedFolder.ts';

/** Longer lists would fill the context of the agent that asked. */
const maxListed = 50;
const maxTools = 500;

/** The server of tools that are not registered. */
const draftServer = 'draft';

const definition = z.looseObject({
  name: z.string().min(1).max(128).describe('Name of the tool'),
  description: z.string().max(100_000).optional().describe('Description to be checked'),
  inputSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of the arguments'),
});

type CheckedTool = Pick<
  ReceivedTool['tool'],
  | 'server'
  | 'name'
  | 'title'
  | 'description'
  | 'inputSchema'
  | 'annotations'
  | 'outputSchema'
  | 'malformed'
>;

interface Checked {
  tools: CheckedTool[];
  source: { servers: string[] } | { tools: ReceivedTool[] };
  unavailable: { name: string; reason: string }[];
}

async function listedTools(client: Client, names: readonly string[] | undefined): Promise<Checked> {
  const all = await client.servers.list();
  const chosen = names?.map((name) => {
    const found = all.find((server) => server.name === name);
    if (!found)
      throw new Error(
        `Server ${name}: It isn't registered. The servers are: ` +
          `${all.map((server) => server.name).join(', ') || 'none'}.`,
      );
    return found;
  });
  const checked: Checked = { tools: [], source: { servers: [] }, unavailable: [] };
  const listed: string[] = [];
  for (const { id, name } of chosen ?? all) {
    const { listing } = await client.servers.get({ id, whole: true });
    if (listing === null)
      checked.unavailable.push({
        name,
        reason: `It was never listed. Ask the user to run \`touchstone servers check ${name}\`.`,
      });
    else {
      listed.push(name);
      checked.tools.push(...listing.tools);
    }
  }
  return { ...checked, source: { servers: listed } };
}

const draftTools = (client: Client, definitions: readonly object[]): Promise<Checked> =>
  readDrafts(client, {
    fileName: `${draftServer}.json`,
    text: JSON.stringify({ tools: definitions.map((each) => ({ server: draftServer, ...each })) }),
  });

async function readDrafts(client: Client, file: AllowedFile): Promise<Checked> {
  const { tools, rejected } = await client.evaluations.readTools(file);
  return {
    tools: tools.map(({ tool }) => tool),
    source: { tools },
    unavailable: rejected.map(({ name, reason }) => ({ name, reason })),
  };
}

const textOnly = ({ server, name, description, inputSchema }: CheckedTool) => ({
  server,
  name,
  description,
  inputSchema,
});
const analysed = (tool: CheckedTool) => ({
  ...textOnly(tool),
  title: tool.title,
  annotations: tool.annotations,
  outputSchema: tool.outputSchema,
  ...(tool.malformed && { malformed: tool.malformed }),
});

/** Pairs that a model could confuse, the most similar first. */
async function similarPairs(client: Client, tools: readonly CheckedTool[], signal: AbortSignal) {
  if (tools.length < minTools) return { threshold: null, measure: null, pairs: [] };
  const events = await client.similarity.analyze(
    { input: { toolList: tools.map(analysed) } },
    { signal },
  );
  for await (const event of events) {
    if (event.type !== 'done') continue;
    const { id, threshold, measure, toolIds } = event.analysis;
    const { rows } = await client.similarity.pairs({ id, limit: maxListed });
    await client.similarity.forget({ id });
    return {
      threshold,
      measure,
      pairs: rows
        .filter((pair) => isFlagged(pair, threshold))
        .map(({ a, b, score }) => ({ tools: [toolIds[a] ?? '', toolIds[b] ?? ''], score })),
    };
  }
  throw new Error('The comparison of the tools ended without a result. Try again.');
}

/** Checks definitions by rule. No server is contacted and no model is asked. */
export const checkTools = ({ reader }: AgentBackend, readFile: ReadAllowed) =>
  agentTool({
    name: 'check_tools',
    title: 'Check tools',
    description:
      'Checks tool definitions offline: quality score and fixes, twins that a model could ' +
      'confuse, token counts and security signals. Give either registered servers, draft ' +
      'definitions, or a listing file. No signal does not mean safe.',
    inputSchema: z.object({
      servers: z
        .array(z.string().max(200))
        .min(1)
        .max(100)
        .optional()
        .describe('Names of registered servers; omit both lists to check every server'),
      tools: z
        .array(definition)
        .min(1)
        .max(maxTools)
        .optional()
        .describe('Draft definitions as in an MCP tools/list result, instead of servers'),
      tools_file: z
        .string()
        .max(1000)
        .optional()
        .describe('Listing file instead, relative to the allowed folder'),
    }),
    outputSchema: z.object({
      tools: z.array(
        z.object({
          tool: z.string(),
          quality: z.number().describe('Score from 1 to 10'),
          tokens: z.number().int().nullable(),
        }),
      ),
      total_tokens: z.number().int(),
      quality_findings: z.array(
        z.object({
          tool: z.string(),
          rule: z.string(),
          severity: z.string(),
          message: z.string(),
          fix: z.string(),
        }),
      ),
      similar: z.array(
        z.object({
          tools: z.array(z.string()),
          score: z.number().describe('By similarity_measure, from 0 to 1'),
        }),
      ),
      similarity_measure: similarityMeasure.nullable(),
      similarity_threshold: z.number().nullable(),
      security_signals: z.array(
        z.object({
          tool: z.string(),
          detector: z.string(),
          category: z.string(),
          severity: z.string(),
          text: z.string(),
        }),
      ),
      left_out: z.number().int().describe('Entries beyond the first 50 of a list'),
      unavailable: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
    annotations: readOnly,
    call: async ({ servers, tools: drafts, tools_file: file }, { signal }) => {
      if ([servers, drafts, file].filter((each) => each !== undefined).length > 1)
        throw new Error('Give servers, tools or tools_file, not several of them.');
      const { tools, source, unavailable } =
        file !== undefined
          ? await readDrafts(reader, await readFile(file))
          : drafts === undefined
            ? await listedTools(reader, servers)
            : await draftTools(reader, drafts);
      if (tools.length > maxTools)
        throw new Error(
          `These are ${tools.length} tools, more than ${maxTools}. Name fewer servers.`,
        );
      const [lint, similar, tokens, findings] = await Promise.all([
        reader.similarity.lint({ input: { toolList: tools.map(analysed) } }, { signal }),
        similarPairs(reader, tools, signal),
        reader.tokens.count({ source }, { signal }),
        reader.security.toolFindings({ tools: tools.map(textOnly) }, { signal }),
      ]);
      const count = new Map(tokens.tools.map((each) => [each.toolId, each.tokenCount]));
      const open = findings.filter(({ accepted }) => accepted === null);
      const cut = (length: number) => Math.max(0, length - maxListed);
      return {
        tools: lint.tools.map((each) => ({
          tool: each.toolId,
          quality: each.score,
          tokens: count.get(each.toolId) ?? null,
        })),
        total_tokens: tokens.total,
        quality_findings: lint.findings
          .slice(0, maxListed)
          .map(({ toolId: tool, rule, severity, message, fix }) => ({
            tool,
            rule,
            severity,
            message,
            fix,
          })),
        similar: similar.pairs,
        similarity_measure: similar.measure,
        similarity_threshold: similar.threshold,
        security_signals: open
          .slice(0, maxListed)
          .map(({ server, tool, detector, category, severity, text }) => ({
            tool: toolId(server, tool),
            detector,
            category,
            severity,
            text,
          })),
        left_out: cut(lint.findings.length) + cut(open.length),
        unavailable,
      };
    },
  });
