import type { OfferedNames } from './offeredNames.ts';

/** The name of a call, after what a line of Python may put before it. */
const head =
  /(?:>>>[ \t]{0,4})?(?:(?:await|return)[ \t]{1,4}){0,2}(?:[A-Za-z_]\w{0,60}[ \t]{0,4}=[ \t]{0,4}(?:await[ \t]{1,4})?)?([\p{L}_][\p{L}\p{N}_.:/-]{0,300})[ \t]{0,4}\(/uy;
/** What may be between calls: white space, commas, semicolons, and comments. */
const between = /(?:[\s,;]|#[^\n]*)*/y;
/** Arguments without a value are the parameters of a signature: `get_weather(city, days: int)`. */
const signature =
  /^\s*[A-Za-z_]\w*\??\s*(?::\s*[A-Za-z_][\w.|[\] ]*)?(?:,\s*\*?\s*[A-Za-z_]\w*\??\s*(?::\s*[A-Za-z_][\w.|[\] ]*)?)*,?\s*$/;
const literals = /^\s*(?:True|False|None|true|false|null)\s*,?\s*$/;
const maxSignature = 1_000;

/**
 * The tool that the first of the calls between two places calls: `f(x=1)`, `[f(x=1), g()]`,
 * `print(f())`, one per line. Undefined where anything else is between them, or where one calls no
 * offered tool.
 */
export function codeCall(
  text: string,
  start: number,
  end: number,
  names: OfferedNames,
): string | undefined {
  const body = text.slice(start, end).trim();
  const listed = body.startsWith('[') && body.endsWith(']');
  const inner = listed ? body.slice(1, -1) : body;
  let first: string | undefined;
  for (let at = skip(inner, 0); at < inner.length; at = skip(inner, at)) {
    head.lastIndex = at;
    const match = head.exec(inner);
    if (!match) return undefined;
    const open = head.lastIndex - 1;
    const close = closingOf(inner, open);
    if (close < 0) return undefined;
    const args = inner.slice(open + 1, close);
    const tool =
      match[1] === 'print'
        ? codeCall(args, 0, args.length, names)
        : isSignature(args)
          ? undefined
          : names.resolve(match[1] ?? '');
    if (tool === undefined) return undefined;
    first ??= tool;
    at = close + 1;
    // What follows on the line must begin another call or nothing: "ping() checks the server".
    if (at < inner.length && !/[\s,;#]/.test(inner[at] ?? '')) return undefined;
  }
  return first;
}

const isSignature = (args: string): boolean =>
  args.length <= maxSignature && signature.test(args) && !literals.test(args);

function skip(text: string, from: number): number {
  between.lastIndex = from;
  between.exec(text);
  return between.lastIndex;
}

/** The place of the bracket that closes the one at `open`; -1 where none does. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const mark = text[at] ?? '';
    if (mark === '"' || mark === "'") {
      for (at += 1; at < text.length && text[at] !== mark; at += 1) if (text[at] === '\\') at += 1;
    } else if ('([{'.includes(mark)) depth += 1;
    else if (')]}'.includes(mark)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

const label =
  /^[ \t>*_#[-]{0,8}(action|tool|tool[ _]call|tool[ _]name|function|function[ _]call|call|calling tool)[*_]{0,3}[ \t]{0,4}:[*_]{0,3}[ \t]{0,4}([^\n]{1,400})$/i;
const argumentsLabel =
  /^[ \t>*_#-]{0,8}(?:action|tool|function)?[ _]?(?:input|arguments?|args|parameters?|params)[*_]{0,3}[ \t]{0,4}:[*_]{0,3}[ \t]{0,4}([^\n]{0,400})/i;
const thought = /(?:^|\n)[ \t*_#]{0,8}thought\b/i;
const fence = /^\s{0,3}`{3}[a-z]{0,12}\s*$/i;

/**
 * The tool that labeled lines call: `Action: ping` and `Action Input: {}`, as in ReAct prompts, and
 * `Tool: ping` with arguments in braces. Undefined where there is none.
 */
export function labeledCall(text: string, names: OfferedNames): string | undefined {
  let waiting: { tool: string; isAction: boolean; name: string } | null = null;
  for (const line of text.split('\n')) {
    const short = line.slice(0, 1_000).trimEnd();
    if (short.trim() === '') continue;
    if (waiting) {
      const given = argumentsLabel.exec(short);
      const value = (given?.[1] ?? short).trim();
      if ((given && waiting.isAction) || /^`{0,3}(?:json)?\s*[{[]/.test(value)) return waiting.tool;
      if ((given && value === '') || fence.test(value)) continue;
      waiting = null;
    }
    const found = labeledName(short, names);
    if (found === undefined) continue;
    if (found.hasArguments) return found.tool;
    waiting = found;
  }
  // A tool without parameters needs no input.
  return waiting?.isAction && (thought.test(text) || names.resolveWire(waiting.name) !== undefined)
    ? waiting.tool
    : undefined;
}

function labeledName(line: string, names: OfferedNames) {
  const match = label.exec(line);
  if (!match) return undefined;
  const value = (match[2] ?? '')
    .replace(/[\s`*]+$/, '')
    .replace(line.startsWith('[') ? /\]$/ : /$^/, '');
  const parts = /^[\s`"'*]{0,8}([^\s"'`*({[]{1,300})[\s`"'*]{0,8}(.?)/u.exec(value);
  const name = parts?.[1] ?? '';
  const tool = names.resolve(name);
  if (tool === undefined) return undefined;
  const after = parts?.[2] ?? '';
  const isCall =
    after === '('
      ? codeCall(value, 0, value.length, names) !== undefined
      : (after === '{' || after === '[') && /[\]}]$/.test(value);
  if (!isCall && after !== '') return undefined;
  return { tool, name, isAction: /^action$/i.test(match[1] ?? ''), hasArguments: isCall };
}
