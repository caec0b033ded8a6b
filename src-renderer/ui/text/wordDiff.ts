/** A stretch of text and what became of it. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Beyond this many steps of comparing the rest is told as replaced as a whole. */
const maxCells = 4_000_000;

/** Words and the spaces between them: what stays is the longest common row of both. */
export function diffWords(before: string, after: string): DiffPart[] {
  const [old, now] = [words(before), words(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const middle = diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return join([
    ...old.slice(0, start).map(same),
    ...middle,
    ...old.slice(old.length - end).map(same),
  ]);
}

const words = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
const same = (text: string): DiffPart => ({ kind: 'same', text });

function diffMiddle(old: readonly string[], now: readonly string[]): DiffPart[] {
  if (old.length === 0 || now.length === 0 || old.length * now.length > maxCells) {
    return [
      ...old.map((text): DiffPart => ({ kind: 'removed', text })),
      ...now.map((text): DiffPart => ({ kind: 'added', text })),
    ];
  }
  const width = now.length + 1;
  // Cell (i, j): how many words the rests of both from i and j on have in common.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const parts: DiffPart[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const [gone = '', come = ''] = [old[i], now[j]];
    if (i < old.length && j < now.length && gone === come) {
      parts.push(same(gone));
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: 'removed', text: gone });
      i += 1;
    } else {
      parts.push({ kind: 'added', text: come });
      j += 1;
    }
  }
  return parts;
}

function join(parts: readonly DiffPart[]): DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.kind === part.kind) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
