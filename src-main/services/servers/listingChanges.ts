import type { ListingChanges, ListingState } from '../../../src-shared/contract/servers.ts';
import { countChanges } from '../../../src-shared/display/changeCounts.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { compareText } from '../../../src-shared/domain/compareText.ts';
import type { Skill, SkillFile } from '../../../src-shared/domain/skill.ts';
import { itemKey, type SnapshotItem } from '../../../src-shared/domain/serverItem.ts';
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

/** A snapshot with what its server offers besides tools, if anybody asks for that. */
export type ListedSnapshot = ToolSnapshot & { items?: readonly SnapshotItem[] };

/**
 * Compares two listings. Tools are matched by name; a tool has changed if its content hash differs.
 */
export function compareSnapshots(before: ListedSnapshot, after: ListedSnapshot): ListingChanges {
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
    items: compareItems(before, after),
  };
}

/** Items are matched by kind and key. A kind that either listing doesn't know is left out. */
function compareItems(before: ListedSnapshot, after: ListedSnapshot): ListingChanges['items'] {
  const known = [before, after].map(
    ({ servers }) =>
      new Set(
        servers[0]?.items?.flatMap(({ kind, status }) => (status === 'failed' ? [] : [kind])),
      ),
  );
  const byKey = ({ items = [] }: ListedSnapshot) =>
    new Map(
      items.flatMap((item) =>
        known.every((kinds) => kinds.has(item.kind))
          ? [[`${item.kind} ${itemKey(item)}`, item] as const]
          : [],
      ),
    );
  const [old, now] = [byKey(before), byKey(after)];
  const nameOf = (item: SnapshotItem) => ({ kind: item.kind, name: itemKey(item) });
  return {
    added: [...now].flatMap(([key, item]) => (old.has(key) ? [] : [nameOf(item)])),
    removed: [...old].flatMap(([key, item]) => (now.has(key) ? [] : [nameOf(item)])),
    changed: [...now].flatMap(([key, item]) => {
      const earlier = old.get(key);
      return earlier === undefined || earlier.hash === item.hash
        ? []
        : [{ ...nameOf(item), parts: changedItemParts(earlier, item) }];
    }),
  };
}

const itemParts = ['name', 'title', 'description', 'mimeType', 'arguments'] as const;

const changedItemParts = (before: SnapshotItem, after: SnapshotItem): Part[] =>
  partsOrHashes(
    itemParts.flatMap((part) => partIfChanged(part, textOf(before[part]), textOf(after[part]))),
    before,
    after,
  );

const parts = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

function changedParts(before: SnapshotTool, after: SnapshotTool): Part[] {
  const found = parts.flatMap((part) =>
    partIfChanged(part, textOf(before[part]), textOf(after[part])),
  );
  if (before.skill ?? after.skill) found.push(...changedSkillParts(before.skill, after.skill));
  return partsOrHashes(found, before, after);
}

/** Content that differs in a member that is not shown separately: the hashes prove it. */
const partsOrHashes = (
  found: Part[],
  before: Pick<SnapshotTool, 'hash'>,
  after: Pick<SnapshotTool, 'hash'>,
): Part[] =>
  found.length > 0
    ? found
    : [{ part: 'other members', before: before.hash.slice(0, 16), after: after.hash.slice(0, 16) }];

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
  snapshot: (id: string) => ListedSnapshot | null,
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
