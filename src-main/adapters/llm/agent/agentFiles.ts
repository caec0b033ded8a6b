import { stringify as toToml } from 'smol-toml';
import { z } from 'zod';
import {
  agentsFile,
  type AgentPlace,
  type AgentTemplate,
} from '../../../../src-shared/domain/agentTemplate.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { parsePointer, valueAtPointer } from '../../../../src-shared/domain/jsonPointer.ts';
import { orElse } from '../../../../src-shared/domain/orElse.ts';
import type { TokenUsage } from '../../../../src-shared/domain/observation.ts';
import type { OwnCall } from '../../../../src-shared/domain/ownTools.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';

/** How an agent starts one MCP server. */
export interface AgentServerCommand {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The templates of a text of `datasets/agents_v1.json`. */
export const parseAgents = (text: string): AgentTemplate[] =>
  agentsFile.parse(JSON.parse(text)).agents;

type Values = Readonly<Record<string, string>>;

/** A text with the values in place of `{{name}}`; a name that has none stays as it is. */
export const fillText = (text: string, values: Values): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);

/** The file that tells an agent its MCP servers, in the agent's format. */
export function writeServersFile(
  { format, others, server: further }: AgentTemplate['mcp'],
  servers: Readonly<Record<string, AgentServerCommand>>,
  values: Values,
): string {
  const all = Object.entries(servers);
  const own = JSON.parse(fillText(JSON.stringify(others), values)) as JsonObject;
  const named = (write: (one: AgentServerCommand, name: string) => JsonObject): JsonObject =>
    Object.fromEntries(all.map(([name, one]) => [name, { ...write(one, name), ...further }]));
  const document: JsonObject = {
    'mcp-servers': () => ({ ...own, mcpServers: named((one) => ({ ...one })) }),
    codex: () => ({ ...own, mcp_servers: named((one) => ({ ...one })) }),
    opencode: () => ({
      ...own,
      mcp: named(({ command, args, env }) => ({
        type: 'local',
        command: [command, ...args],
        environment: env,
        enabled: true,
      })),
    }),
    goose: () => ({
      ...own,
      extensions: named(({ command, args, env }, name) => ({
        type: 'stdio',
        name,
        enabled: true,
        cmd: command,
        args,
        envs: env,
        timeout: 300,
      })),
    }),
  }[format]();
  // YAML is read as JSON, too.
  return format === 'codex' ? toToml(document) : `${JSON.stringify(document, null, 2)}\n`;
}

/** What an agent printed: its answer, tokens if it reported them, and calls of its own tools. */
export interface AgentOutput {
  text: string | null;
  usage: TokenUsage | null;
  /** Null: it doesn't report them. */
  ownTools: OwnCall[] | null;
}

const count = z.number().nonnegative();

/**
 * Reads the standard output of an agent. Tokens are added up over all documents of the kind that
 * has them; null if none has both numbers. Calls of `offered` tools are not the agent's own.
 * Null where the output should have documents and has none.
 */
export function readAgentOutput(
  output: string,
  answer: AgentTemplate['answer'],
  offered: readonly Pick<SnapshotTool, 'server' | 'name'>[] = [],
): AgentOutput | null {
  if (answer === null) return { text: output.trim() || null, usage: null, ownTools: null };
  const documents = output.split('\n').flatMap((line): JsonObject[] => {
    const value = orElse(() => JSON.parse(line) as JsonValue, null);
    return isJsonObject(value) ? [value] : [];
  });
  if (documents.length === 0) return null;
  const textsAt = (place: AgentPlace): string[] =>
    documents.flatMap((document) =>
      isKind(document, place.where)
        ? valuesAt(document, parsePointer(place.at)).filter((value) => typeof value === 'string')
        : [],
    );
  const texts = textsAt(answer.text);
  const text = answer.joined ? texts.join('') : (texts.at(-1) ?? '');
  // Agents without a prefix for tools of servers name them so, as opencode does.
  const shown = new Set(
    offered.map(({ server, name }) => `${server}_${name}`.replace(/[^\w-]/g, '_')),
  );
  const own = answer.ownTools.flatMap(textsAt).filter((name) => !shown.has(name));
  const pattern = answer.mcpTools === null ? null : new RegExp(answer.mcpTools, 'u');
  return {
    text: text.trim() || null,
    usage: answer.usage === null ? null : sumUsage(documents, answer.usage),
    ownTools:
      answer.ownTools.length === 0
        ? null
        : own.filter((name) => pattern?.test(name) !== true).map((name) => ({ name })),
  };
}

function sumUsage(
  documents: readonly JsonObject[],
  { where, input, output }: NonNullable<NonNullable<AgentTemplate['answer']>['usage']>,
): TokenUsage | null {
  const numbersAt = (pointers: readonly string[]): number[] =>
    documents
      .filter((document) => isKind(document, where))
      .flatMap((document) => pointers.map((pointer) => valueAtPointer(document, pointer)))
      .flatMap((value) => count.safeParse(value).data ?? []);
  const [sent, received] = [numbersAt(input), numbersAt(output)];
  if (sent.length === 0 || received.length === 0) return null;
  const sum = (numbers: readonly number[]): number =>
    Math.round(numbers.reduce((all, one) => all + one, 0));
  return { input: sum(sent), output: sum(received), source: 'measured' };
}

const isKind = (document: JsonObject, where: AgentPlace['where']): boolean =>
  Object.entries(where).every(([pointer, value]) => valueAtPointer(document, pointer) === value);

/** The values at a pointer, in which `*` means every member. */
function valuesAt(value: JsonValue | undefined, [step, ...rest]: readonly string[]): JsonValue[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  if (step === '*')
    return (Array.isArray(value) ? value : []).flatMap((each) => valuesAt(each, rest));
  return isJsonObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}
