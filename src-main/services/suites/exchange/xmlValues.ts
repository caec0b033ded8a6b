import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';

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
  let root: XmlElement | null;
  try {
    root = parseXml(text, { includeOffsets: true, ignoreUndefinedEntities: true }).root;
  } catch (error) {
    const { line = 1, column = 1 } = error as { line?: number; column?: number };
    const [message = ''] = errorText(error).split('\n');
    return {
      message: `The XML can’t be read: ${message.replace(/ \(line \d+.*$/, '')}.`,
      line,
      column,
    };
  }
  const value = root === null ? '' : valueOf(root);
  return {
    value: isObject(value) ? value : { [root?.name ?? 'root']: value },
    lineOf: (each) => lines.get(each) ?? null,
  };

  function valueOf(element: XmlElement): JsonValue {
    const children = element.children.filter((child) => child instanceof XmlElement);
    const said = element.children
      .filter((child) => child instanceof XmlText)
      .map(({ text: part }) => part)
      .join('')
      .trim();
    const entries: [string, JsonValue][] = Object.entries(element.attributes);
    if (children.length === 0 && entries.length === 0) return said;
    const [first] = children;
    // A list of one is a list as well: its entries have parts of their own.
    const isList =
      children.length > 0 &&
      children.every(
        (child) =>
          child.name === first?.name &&
          (Object.keys(child.attributes).length > 0 ||
            child.children.some((each) => each instanceof XmlElement)),
      );
    const byName = Map.groupBy(children, ({ name }) => name);
    for (const [name, each] of byName) {
      const values = each.map(valueOf);
      const [only = null] = values;
      entries.push([name, isList || values.length > 1 ? values : only]);
    }
    if (said !== '') entries.push(['text', said]);
    const value = Object.fromEntries(entries);
    lines.set(value, lineAt(element.start));
    return value;
  }
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
