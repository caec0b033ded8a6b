/**
 * Positions of the values of a JSON object's own members in its text, by name: [from, to) in UTF-16
 * units, strings without their quotes. The last of duplicate names counts, as in parsing. The text
 * must be valid JSON; the result is empty if it isn't an object.
 */
export function memberRanges(json: string): Map<string, [number, number]> {
  const ranges = new Map<string, [number, number]>();
  let at = skipSpace(json, 0);
  if (json[at] !== '{') return ranges;
  at = skipSpace(json, at + 1);
  while (json[at] === '"') {
    const nameEnd = endOfString(json, at);
    const name = JSON.parse(json.slice(at, nameEnd)) as string;
    const from = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const to = endOfValue(json, from);
    // Deleted first, so that the last of duplicate names is also last in order.
    ranges.delete(name);
    ranges.set(name, json[from] === '"' ? [from + 1, to - 1] : [from, to]);
    at = skipSpace(json, to);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return ranges;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (at < json.length && ' \t\n\r'.includes(json[at] ?? '')) at += 1;
  return at;
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(json: string, from: number): number {
  if (json[from] === '"') return endOfString(json, from);
  let at = from;
  for (let depth = 0; at < json.length;) {
    const character = json[at] ?? '';
    if (character === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (character === ',' || ' \t\n\r'.includes(character))) return at;
    at += 1;
  }
  return at;
}
