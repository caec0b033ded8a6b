/** A part of a text, from one place up to another. */
interface Span {
  from: number;
  to: number;
}

/** Takes time linear in the text: what isn't closed reaches to its end. */
const markup =
  /<!--(?:[^]*?-->|[^]*)|<!\[CDATA\[(?:[^]*?\]\]>|[^]*)|<\?(?:[^]*?\?>|[^]*)|<(\/?)[^\s/>!?"'<](?:[^<>"']|"[^"<]*"|'[^'<]*')*>/g;

/**
 * The children of the element that is a text, found by their tags alone, so that each can be read by
 * itself; and the text without them, which has everything else that can be wrong. Null if the tags
 * don't close, or if there is a document type.
 */
export function cutElements(text: string): { children: Span[]; around: string } | null {
  if (text.includes('<!DOCTYPE')) return null;
  const children: Span[] = [];
  const around: string[] = [];
  let [depth, start, kept] = [0, 0, 0];
  for (const found of text.matchAll(markup)) {
    const [tag, slash] = found;
    if (slash === undefined) continue;
    const isAlone = slash === '' && tag.endsWith('/>');
    if (slash === '' && depth === 1) start = found.index;
    if (!isAlone) depth += slash === '' ? 1 : -1;
    if (depth < 0) return null;
    const isEnd = isAlone || slash !== '';
    if (depth !== 1 || !isEnd) continue;
    const to = found.index + tag.length;
    children.push({ from: start, to });
    around.push(text.slice(kept, start));
    kept = to;
  }
  return depth === 0 ? { children, around: around.join('') + text.slice(kept) } : null;
}
