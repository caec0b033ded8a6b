const text = String.raw`(?:"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)')`;
/** Letters of an enumeration or an object that a member is looked for in. */
const maxBody = 20_000;

/**
 * The text that a name stands for in a program: a constant that is set once (`FIND = "find_book"`),
 * a member of an object or an enumeration (`Tool.FIND`, also with `.value`). Undefined if the program
 * says none, or several.
 */
export function textNamed(source: string, name: string): string | undefined {
  const [owner = '', member, ...more] = name.replace(/\.value$/, '').split('.');
  if (!/^\w+$/.test(owner) || more.length > 0) return undefined;
  if (member === undefined) {
    const all = [
      ...source.matchAll(
        new RegExp(
          String.raw`(?<![\w.$])${owner}(?:\s*:\s*[^=\n]{1,60})?\s*:?=(?!=)\s*(?:${text})?`,
          'g',
        ),
      ),
    ];
    const [only] = all;
    return all.length === 1 && only !== undefined ? unescaped(only[1] ?? only[2]) : undefined;
  }
  if (!/^\w+$/.test(member)) return undefined;
  const start = new RegExp(
    String.raw`(?:\b(?:enum|class)\s+${owner}\b[^{:\n]*[{:]|(?<![\w.$])${owner}(?:\s*:\s*[^=\n]{1,60})?\s*=\s*(?:Object\.freeze\()?\{)`,
  ).exec(source);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  const rest = source.slice(from, from + maxBody);
  const end = /\n(?:[^\s#]|$)/.exec(rest)?.index ?? rest.length;
  const body = rest.slice(0, start[0].endsWith('{') ? Math.max(rest.indexOf('}'), 0) : end);
  const found = new RegExp(
    String.raw`(?<![\w.$])["']?${member}["']?\s*(?::\s*\w+\s*)?[=:]\s*${text}`,
  ).exec(body);
  return found === null ? undefined : unescaped(found[1] ?? found[2]);
}

const unescaped = (written: string | undefined): string | undefined =>
  written?.replaceAll(/\\(.)/g, '$1');
