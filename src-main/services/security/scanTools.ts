import { sha256 } from '../../runtime/sha256.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type {
  PeerTool,
  RuleDetector,
  ScannedTool,
  ToolChange,
} from '../../../src-shared/domain/security.ts';
import { ruleDetectors } from '../../../src-shared/domain/security.ts';
import {
  itemKey,
  itemLabel,
  type ServerItem,
  type SnapshotItem,
} from '../../../src-shared/domain/serverItem.ts';
import { skillPlace } from '../../../src-shared/display/skillPlace.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { PreviousVersion } from '../../analysis/detectors/subject.ts';
import { instructionsSubject, itemSubject, toolSubject } from './entrySubject.ts';
import type { Examiner } from './examiner.ts';

/** A tool to examine, with its last known version. */
export interface ToolToScan {
  serverId: string | null;
  tool: Tool;
  /** Hash of its content. A finding counts as the same only while this stays the same. */
  hash: string;
  previous: { at: string; tool: Tool } | null;
  /** The first listing with exactly this content; null or absent where no server listed it. */
  firstSeenAt?: string | null;
}

/** A prompt, a resource or a template to examine, with its last known version. */
export interface ItemToScan {
  serverId: string | null;
  item: SnapshotItem;
  previous: { at: string; item: ServerItem } | null;
  firstSeenAt: string | null;
}

/** What a server tells the model about itself, and the first listing that had it. */
export interface Instructions {
  text: string | null;
  firstSeenAt: string | null;
}

export interface ScanOptions {
  detectors?: readonly RuleDetector[];
  instructions?: ReadonlyMap<string, Instructions>;
  accepted?: ReadonlyMap<string, { reason: string; at: string }>;
  /** Tools that are peers of the examined ones but are not examined themselves. */
  around?: readonly Tool[];
  /** What servers offer besides tools. */
  items?: readonly ItemToScan[];
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
  const { detectors = ruleDetectors, instructions, accepted, signal } = options;
  const { around = [], items = [] } = options;
  const peers: PeerTool[] = [...tools.map(({ tool }) => tool), ...around].map(
    ({ server, name }) => ({ server, name, description: '' }),
  );
  const units = [
    ...tools.map(({ serverId, tool, hash, previous, firstSeenAt = null }) => ({
      serverId,
      firstSeenAt,
      server: tool.server,
      tool: tool.name,
      hash,
      item: undefined,
      skill: tool.skill,
      subject: toolSubject(tool, {
        peers: [],
        previous: previous ? toEarlierVersion(previous.tool) : null,
      }),
      definition: toDefinition(tool),
      change: previous ? toChange(previous, tool) : null,
    })),
    ...items.map(itemUnit),
    ...instructionUnits(tools, instructions),
  ];
  const examined = await examiner.examine(
    units.map(({ subject }) => subject),
    detectors,
    { peers, ...(signal ? { signal } : {}) },
  );
  return units.map((unit, index) => {
    const { serverId, server, tool, item, hash, skill, definition, change, firstSeenAt } = unit;
    const { findings, problem } = examined[index] ?? {
      findings: [],
      problem: 'It was not examined.',
    };
    const own =
      tool === '' ? findings.filter(({ place }) => place.startsWith('/instructions')) : findings;
    return {
      serverId,
      server,
      tool,
      ...(item && { item }),
      definition,
      problem,
      change,
      firstSeenAt,
      findings: own.map((finding) => {
        const { detector, rule, place, span, text } = finding;
        const source = skill && skillPlace(skill, place, span[0]);
        const fingerprint = sha256(
          JSON.stringify([server, tool, hash, detector, rule, place, text]),
        );
        return {
          ...finding,
          ...(source ? { source } : {}),
          ...(item && { item }),
          fingerprint,
          server,
          tool,
          accepted: accepted?.get(fingerprint) ?? null,
        };
      }),
    };
  });
}

/** The instructions of each server as a subject without a tool name, so that no tool repeats them. */
function instructionUnits(tools: readonly ToolToScan[], instructions: ScanOptions['instructions']) {
  const servers = new Map(tools.map(({ serverId, tool }) => [tool.server, serverId]));
  return [...servers].flatMap(([server, serverId]) => {
    const { text = null, firstSeenAt = null } = instructions?.get(server) ?? {};
    return text === null || text === ''
      ? []
      : [
          {
            serverId,
            firstSeenAt,
            server,
            tool: '',
            hash: sha256(text),
            item: undefined,
            skill: undefined,
            subject: instructionsSubject(server, text),
            definition: { server, instructions: text },
            change: null,
          },
        ];
  });
}

/** An item is named by its kind, so that it is never taken for a tool of the same name. */
function itemUnit({ serverId, item: { hash, ...item }, previous, firstSeenAt }: ItemToScan) {
  const { kind } = item;
  return {
    serverId,
    firstSeenAt,
    server: item.server,
    tool: itemLabel(kind, itemKey(item)),
    item: { kind, key: itemKey(item) },
    hash,
    skill: undefined,
    subject: itemSubject(item, previous?.item ?? null),
    definition: { ...item },
    change: previous && {
      at: previous.at,
      before: JSON.stringify({ ...previous.item, hash: undefined }, null, 2),
      after: JSON.stringify(item, null, 2),
    },
  };
}

const toEarlierVersion = ({ description, inputSchema, skill }: Tool): PreviousVersion => ({
  description,
  schema: inputSchema,
  ...(skill && { skill }),
});

/** The object that the JSON pointer of a finding points into. */
function toDefinition(tool: Tool): JsonObject {
  const { server, name, title, description, annotations, inputSchema, outputSchema, skill } = tool;
  return {
    ...{ server, name, title, description, annotations, inputSchema, outputSchema },
    ...(skill === undefined ? {} : { skill }),
  };
}

function toChange({ at, tool: before }: { at: string; tool: Tool }, after: Tool): ToolChange {
  const serialize = ({
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
    skill,
  }: Tool) =>
    skill === undefined
      ? JSON.stringify({ title, description, inputSchema, outputSchema, annotations }, null, 2)
      : [
          `${description}\n\n${skill.body}`,
          ...skill.files.map(({ path, text, sha256: hash }) => `${path}:\n${text ?? hash ?? ''}`),
        ].join('\n\n');
  return { at, before: serialize(before), after: serialize(after) };
}
