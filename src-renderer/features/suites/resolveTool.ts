interface ListedTools {
  group: string;
  items: string[];
}

/**
 * The tool that a typed or pasted name means: `server:tool`, `server/tool`, or a name that only one
 * listed tool has. A full name that is not listed is taken as it is; null for anything else.
 */
export function resolveTool(typed: string, groups: readonly ListedTools[]): string | null {
  const name = typed.trim().replace(/^[`"'“]|[`"'”]$/gu, '');
  const listed = groups.flatMap(({ items }) => items);
  if (name === '') return null;
  if (listed.includes(name)) return name;
  for (const { group, items } of groups) {
    const full = `${group}:${name.slice(group.length + 1)}`;
    if (name.startsWith(`${group}/`) && items.includes(full)) return full;
  }
  const same = groups.flatMap(({ group, items }) =>
    items.filter((id) => id === `${group}:${name}`),
  );
  if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  return /^[^:/\s]+:\S+$/u.test(name) ? name : null;
}
