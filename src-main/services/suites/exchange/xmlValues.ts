import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';

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
function cutElements(text: string): { children: Span[]; around: string } | null {
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

/** The value of an XML document, with the line of each object; or why it can't be read, and where. */
export type XmlValue =
  | { value: JsonObject; lineOf: (value: object) => number | null }
  | { message: string; line: number; column: number };

/**
 * Reads an XML document as a value: attributes and children by name, children of one name that stand
 * several times as a list, an element without both as its text. No entity outside XML's own five is
 * resolved, and no other document is read.
 */
export function readXml(text: string): XmlValue {
  const lines = new WeakMap<object, number>();
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
  const named = ({ name }: Pick<Read, 'name'>, value: JsonValue): XmlValue => ({
    value: isObject(value) ? value : { [name]: value },
    lineOf: (each) => lines.get(each) ?? null,
  });
  const sliced = text.length > longText ? slicedRoot(text) : null;
  if (sliced !== null) return named(sliced, sliced.value);
  let root: XmlElement | null;
  try {
    root = elementOf(text);
  } catch (error) {
    const { line = 1, column = 1 } = error as { line?: number; column?: number };
    const [message = ''] = errorText(error).split('\n');
    return {
      message: `The XML can’t be read: ${message.replace(/ \(line \d+.*$/, '')}.`,
      line,
      column,
    };
  }
  const read = root === null ? { name: 'root', hasParts: false, value: '' } : readElement(root, 0);
  return named(read, read.value);

  /** The root of a long text, read child by child; null if anything is wrong: the whole says where. */
  function slicedRoot(source: string, offset = 0, depth = 1): Read | null {
    const cut = cutElements(source);
    if (cut === null || cut.children.length === 0) return null;
    try {
      const root = elementOf(cut.around);
      if (root === null) return null;
      const children: Read[] = [];
      for (const { from, to } of cut.children) {
        const part = source.slice(from, to);
        const isLong = part.length > longText && depth < maxSlicedDepth;
        const long = isLong ? slicedRoot(part, offset + from, depth + 1) : null;
        const child = long === null ? elementOf(part) : null;
        const read = long ?? (child === null ? null : readElement(child, offset + from));
        if (read === null) return null;
        children.push(read);
      }
      return readElement(root, offset, children);
    } catch {
      return null;
    }
  }

  /** What an element says; its children are given if it was read without them. */
  function readElement(element: XmlElement, offset: number, given?: readonly Read[]): Read {
    const { name, attributes } = element;
    const children =
      given ??
      element.children
        .filter((child) => child instanceof XmlElement)
        .map((child) => readElement(child, offset));
    const said = element.children
      .filter((child) => child instanceof XmlText)
      .map(({ text: part }) => part)
      .join('')
      .trim();
    const entries: [string, JsonValue][] = Object.entries(attributes);
    const hasParts = Object.keys(attributes).length > 0 || children.length > 0;
    if (!hasParts) return { name, hasParts, value: said };
    const [first] = children;
    // A list of one is a list as well: its entries have parts of their own.
    const isList =
      children.length > 0 &&
      children.every((child) => child.name === first?.name && child.hasParts);
    const byName = Map.groupBy(children, (child) => child.name);
    for (const [each, ofName] of byName) {
      const values = ofName.map(({ value }) => value);
      const [only = null] = values;
      entries.push([each, isList || values.length > 1 ? values : only]);
    }
    if (said !== '') entries.push(['text', said]);
    const value = Object.fromEntries(entries);
    lines.set(value, lineAt(offset + element.start));
    return { name, hasParts, value };
  }
}

interface Read {
  name: string;
  /** Whether it has attributes or children. */
  hasParts: boolean;
  value: JsonValue;
}

/** A longer text is read child by child: the parser's tree takes many times its length. */
const longText = 256 * 1024;

/** Elements around the list. Each is one more pass over the text. */
const maxSlicedDepth = 4;

const elementOf = (text: string): XmlElement | null =>
  parseXml(text, { includeOffsets: true, ignoreUndefinedEntities: true }).root;

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
