export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
}

const tag = /<(\/?)([A-Za-z]+)((?:\s+[a-z_]+="[^"<]*")*)\s*(\/?)>/y;
const text = /[^<&]*(?:&#\d+;[^<&]*)*/y;

/** Parses the XML that reports write and throws on everything that a strict parser would reject. */
export function readXml(source: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(declaration)) throw new Error('No XML declaration.');
  const top: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [top];
  let at = declaration.length;
  while (at < source.length) {
    text.lastIndex = at;
    at += text.exec(source)?.[0].length ?? 0;
    if (at >= source.length) break;
    tag.lastIndex = at;
    const found = tag.exec(source);
    if (!found) throw new Error(`Not well formed: ${source.slice(at, at + 80)}`);
    at = tag.lastIndex;
    const [, closing, name = '', attributes = '', alone] = found;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes something else.`);
      continue;
    }
    const element: XmlElement = { name, attributes: readAttributes(attributes), children: [] };
    open.at(-1)?.children.push(element);
    if (!alone) open.push(element);
  }
  const [root, ...more] = top.children;
  if (!root || more.length > 0 || open.length !== 1) throw new Error('Not one element that ends.');
  return root;
}

function readAttributes(source: string): Record<string, string> {
  const found = [...source.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = '', value = '']) => {
    if (/&(?!#\d+;)/.test(value)) throw new Error(`An ampersand stands alone: ${value}`);
    return [
      name,
      value.replace(/&#(\d+);/g, (_reference, code: string) => String.fromCodePoint(Number(code))),
    ] as const;
  });
  if (new Set(found.map(([name]) => name)).size !== found.length)
    throw new Error(`An attribute twice: ${source}`);
  return Object.fromEntries(found);
}
