/** A value as a model wrote it; numbers and words stay text. */
export type Loose = string | Loose[] | LooseObject | LooseWord;
export type LooseObject = Map<string, Loose>;
export interface LooseWord {
  word: string;
}

export interface ReadValue {
  value: Loose;
  end: number;
  /** False: the text ends within it. */
  isClosed: boolean;
}

const bare = /[^\s,:[\]{}"']/;

/** What is open: a list, or an object with the key that waits for its value. */
type Open = { items: Loose[] } | { object: LooseObject; key: string | null };

const valueOf = (open: Open): Loose => ('items' in open ? open.items : open.object);

/**
 * Reads the object or list that begins at a place, as JSON or as a Python literal: with either
 * kind of quotes, bare keys, and trailing commas. What isn't closed ends with the text. Null where
 * no value begins, or where brackets don't match. One pass without recursion, so that no text is
 * too long or too deep.
 */
export function readLoose(text: string, start: number): ReadValue | null {
  const stack: Open[] = [];
  const roots: Loose[] = [];
  const add = (value: Loose): void => {
    const open = stack.at(-1);
    if (!open) roots.push(value);
    else if ('items' in open) open.items.push(value);
    else if (open.key === null) open.key = typeof value === 'string' ? value : wordOf(value);
    else {
      open.object.set(open.key, value);
      open.key = null;
    }
  };
  for (let at = start; at < text.length;) {
    const mark = text[at] ?? '';
    if (mark === '{' || mark === '[') {
      stack.push(mark === '[' ? { items: [] } : { object: new Map(), key: null });
      at += 1;
    } else if (mark === '}' || mark === ']') {
      const open = stack.pop();
      if (!open || 'items' in open !== (mark === ']')) return null;
      add(valueOf(open));
      at += 1;
      if (stack.length === 0) return { value: roots[0] ?? [], end: at, isClosed: true };
    } else if (mark === '"' || mark === "'") {
      const end = endOfString(text, at);
      add(text.slice(at + 1, end));
      at = end + 1;
    } else if (bare.test(mark)) {
      let end = at + 1;
      while (end < text.length && bare.test(text[end] ?? '')) end += 1;
      add({ word: text.slice(at, Math.min(end, at + 300)) });
      at = end;
    } else {
      if (mark === ',') {
        const open = stack.at(-1);
        if (open && 'key' in open) open.key = null;
      }
      at += 1;
    }
    if (stack.length === 0) return null;
  }
  for (let open = stack.pop(); open; open = stack.pop()) add(valueOf(open));
  return roots[0] === undefined ? null : { value: roots[0], end: text.length, isClosed: false };
}

const wordOf = (value: Loose): string => (isWord(value) ? value.word : '');

export const isWord = (value: Loose): value is LooseWord =>
  typeof value === 'object' && 'word' in value;

function endOfString(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at;
  }
  return text.length;
}
