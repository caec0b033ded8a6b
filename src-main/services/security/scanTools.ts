import { sha256 } from '../../runtime/sha256.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type {
  EarlierVersion,
  PeerTool,
  RuleDetector,
  ScannedTool,
  ToolChange,
} from '../../../src-shared/domain/security.ts';
import { ruleDetectors } from '../../../src-shared/domain/security.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { toolSubject } from './entrySubject.ts';
import type { Examiner } from './examiner.ts';

/** A tool to examine, with its last known version. */
export interface ToolToScan {
  serverId: string | null;
  tool: Tool;
  /** Hash of its content. A finding counts as the same only while this stays the same. */
  hash: string;
  previous: { at: string; tool: Tool } | null;
}

export interface ScanOptions {
  detectors?: readonly RuleDetector[];
  /** Instructions of each server, by server name. */
  instructions?: ReadonlyMap<string, string | null>;
  accepted?: ReadonlyMap<string, { reason: string; at: string }>;
  /** Tools that are peers of the examined ones but are not examined themselves. */
  around?: readonly Tool[];
  signal?: AbortSignal;
}

/**
 * Examines every tool with all other tools as peers, because a tool can shadow a tool of another
 * server.
 */
export async function scanTools(
  examiner: Examiner,
  tools: readonly ToolToScan[],
  options: ScanOptions = {},
): Promise<ScannedTool[]> {
  const { detectors = ruleDetectors, instructions, accepted, around = [], signal } = options;
  const peers: PeerTool[] = [...tools.map(({ tool }) => tool), ...around].map(
    ({ server, name }) => ({ server, name, description: '' }),
  );
  const seenServers = new Set<string>();
  const subjects = tools.map(({ tool, previous }) => {
    const first = !seenServers.has(tool.server);
    seenServers.add(tool.server);
    return toolSubject(tool, {
      peers: [],
      previous: previous ? toEarlierVersion(previous.tool) : null,
      instructions: first ? (instructions?.get(tool.server) ?? null) : null,
    });
  });
  const examined = await examiner.examine(subjects, detectors, {
    peers,
    ...(signal ? { signal } : {}),
  });
  return tools.map(({ serverId, tool, hash, previous }, index) => {
    const { findings, problem } = examined[index] ?? {
      findings: [],
      problem: 'It was not examined.',
    };
    return {
      serverId,
      server: tool.server,
      tool: tool.name,
      definition: toDefinition(tool, instructions?.get(tool.server) ?? null),
      problem,
      change: previous ? toChange(previous, tool) : null,
      findings: findings.map((finding) => {
        const fingerprint = sha256(
          JSON.stringify([
            tool.server,
            tool.name,
            hash,
            finding.detector,
            finding.rule,
            finding.place,
            finding.text,
          ]),
        );
        return {
          ...finding,
          fingerprint,
          server: tool.server,
          tool: tool.name,
          accepted: accepted?.get(fingerprint) ?? null,
        };
      }),
    };
  });
}

const toEarlierVersion = ({ description, inputSchema }: Tool): EarlierVersion => ({
  description,
  schema: inputSchema,
});

/** The object that the JSON pointer of a finding points into. */
function toDefinition(tool: Tool, instructions: string | null): JsonObject {
  const { server, name, title, description, annotations, inputSchema, outputSchema } = tool;
  return { server, name, title, description, annotations, inputSchema, outputSchema, instructions };
}

function toChange({ at, tool: before }: { at: string; tool: Tool }, after: Tool): ToolChange {
  const serialize = ({ title, description, inputSchema, outputSchema, annotations }: Tool) =>
    JSON.stringify({ title, description, inputSchema, outputSchema, annotations }, null, 2);
  return { at, before: serialize(before), after: serialize(after) };
}
