import type { ListingChanges, ListingState } from '../../../src-shared/contract/servers.ts';
import { countChanges } from '../../../src-shared/display/changeCounts.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { Skill, SkillFile } from '../../../src-shared/domain/skill.ts';
import type { SnapshotTool, ToolSnapshot } from '../../../src-shared/domain/tool.ts';
import { cutDepth } from '../../scoring/depth.ts';
import type { StoredListing } from '../../store/servers/serverListings.ts';

type Part = ListingChanges['changed'][number]['parts'][number];

const textOf = (value: JsonValue | null): string | null =>
  value === null
    ? null
    : typeof value === 'string'
      ? value
      : JSON.stringify(cutDepth(value), null, 2);

/**
 * Compares two listings. Tools are matched by name; a tool has changed if its content hash differs.
 */
export function compareSnapshots(before: ToolSnapshot, after: ToolSnapshot): ListingChanges {
  const old = new Map(before.tools.map((tool) => [tool.name, tool]));
  const now = new Map(after.tools.map((tool) => [tool.name, tool]));
  const changed = after.tools.flatMap((tool) => {
    const earlier = old.get(tool.name);
    return earlier === undefined || earlier.hash === tool.hash
      ? []
      : [{ name: tool.name, parts: changedParts(earlier, tool) }];
  });
  const [oldInstructions, newInstructions] = [before, after].map(
    ({ servers }) => servers[0]?.instructions ?? null,
  );
  return {
    added: after.tools.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.tools.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    changed,
    instructions:
      oldInstructions === newInstructions
        ? null
        : { part: 'instructions', before: oldInstructions ?? null, after: newInstructions ?? null },
  };
}

const parts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

function changedParts(before: SnapshotTool, after: SnapshotTool): Part[] {
  const found = parts.flatMap((part) =>
    partIfChanged(part, textOf(before[part]), textOf(after[part])),
  );
  if (before.skill ?? after.skill) found.push(...changedSkillParts(before.skill, after.skill));
  // The content differs in a member that is not shown separately; the hashes prove it.
  return found.length > 0
    ? found
    : [{ part: 'other members', before: before.hash.slice(0, 16), after: after.hash.slice(0, 16) }];
}

const partIfChanged = (part: string, before: string | null, after: string | null): Part[] =>
  before === after ? [] : [{ part, before, after }];

/** The body, the other fields and every file of a skill, each as a part. */
function changedSkillParts(before: Skill | undefined, after: Skill | undefined): Part[] {
  const files = (skill: Skill | undefined) =>
    new Map((skill?.files ?? []).map((file) => [file.path, describeFile(file)]));
  const [old, now] = [files(before), files(after)];
  return [
    ...partIfChanged('body', before?.body ?? null, after?.body ?? null),
    ...partIfChanged('fields', textOf(before?.fields ?? null), textOf(after?.fields ?? null)),
    ...[...new Set([...old.keys(), ...now.keys()])]
      .sort(compareText)
      .flatMap((path) => partIfChanged(path, old.get(path) ?? null, now.get(path) ?? null)),
  ];
}

const describeFile = ({ text, bytes, sha256 }: SkillFile): string =>
  text ?? `${formatBytes(bytes)}, SHA-256 ${sha256 ?? 'not known'}`;

/**
 * Merges consecutive listings of the same snapshot into one state. A state counts as seen by a
 * person if any of its listings was requested by one. `listings` is newest first.
 */
export function foldListings(
  listings: readonly Pick<StoredListing, 'snapshotId' | 'createdAt' | 'askedBy'>[],
  limit: number,
  snapshot: (id: string) => ToolSnapshot | null,
): ListingState[] {
  const states: {
    snapshotId: string;
    firstAt: string;
    lastAt: string;
    askedBy: StoredListing['askedBy'];
  }[] = [];
  for (const { snapshotId, createdAt, askedBy } of listings) {
    const newest = states.at(-1);
    if (newest?.snapshotId === snapshotId) {
      newest.firstAt = createdAt;
      if (askedBy === 'person') newest.askedBy = askedBy;
    } else if (states.length > limit) break;
    else states.push({ snapshotId, firstAt: createdAt, lastAt: createdAt, askedBy });
  }
  const read = new Map(states.map(({ snapshotId }) => [snapshotId, snapshot(snapshotId)]));
  return states.slice(0, limit).flatMap((state, index): ListingState[] => {
    const current = read.get(state.snapshotId);
    const earlier = states[index + 1];
    const before = earlier === undefined ? null : read.get(earlier.snapshotId);
    if (current == null) return [];
    const changes = before == null ? null : countChanges(compareSnapshots(before, current));
    return [{ ...state, tools: current.tools.length, changes }];
  });
}
