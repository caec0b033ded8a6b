import { argumentLine, type NameValue, type ServerForm } from './serverForm.ts';

/** Characters that only a shell interprets, unless they are quoted or escaped. */
const shellSigns = '|&;<>()`\n';

/**
 * Splits a command line into words like a POSIX shell: at blanks, with single quotes, double quotes
 * (where `\` escapes) and backslashes. Null if a quote is left open, or if a shell would do more
 * than start one program.
 */
export function splitWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  const text = line
    .trim()
    .replace(/^\$ /, '')
    .replace(/\\\r?\n/g, ' ');
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/\s/.test(character) && character !== '\n') {
      if (word !== null) words.push(word);
      word = null;
    } else if (character === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return null;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
    } else if (character === '"') {
      const quoted = readQuoted(text, at + 1);
      if (quoted === null) return null;
      word = (word ?? '') + quoted.value;
      at = quoted.end;
    } else if (character === '\\') {
      at += 1;
      if (at >= text.length) return null;
      word = (word ?? '') + text.charAt(at);
    } else {
      if (
        shellSigns.includes(character) ||
        (character === '$' && /^[\w{(]/.test(text.slice(at + 1)))
      )
        return null;
      word = (word ?? '') + character;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

function readQuoted(text: string, from: number): { value: string; end: number } | null {
  let value = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { value, end: at };
    if (character === '`' || (character === '$' && /^[\w{(]/.test(text.slice(at + 1)))) return null;
    const held = character === '\\' && ['"', '\\', '$', '`'].includes(text.charAt(at + 1));
    if (held) at += 1;
    value += text.charAt(at);
  }
  return null;
}

/**
 * The arguments of a split line with those that the form had before. They are kept at the end, as the
 * form shows them after the command, unless the line ends with them already.
 */
export function joinArguments(split: string, before: string): string {
  const kept = before.trim();
  return `\n${split}`.endsWith(`\n${kept}`) || kept === '' ? split : `${split}\n${kept}`.trim();
}

export type SplitCommand = Pick<ServerForm, 'command' | 'args' | 'env'> & {
  argumentCount: number;
  variableCount: number;
};

/**
 * A whole command line as the fields of the form. Variables set before the command go to the
 * environment and replace existing ones in `env`. Null if there is nothing to split: a single word,
 * or not a plain command line.
 */
export function splitCommand(line: string, env: readonly NameValue[]): SplitCommand | null {
  const words = splitWords(line);
  if (words === null) return null;
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const [command, ...args] = first < 0 ? [] : words.slice(first);
  if (command === undefined || command === '' || words.length < 2) return null;
  const set = words
    .slice(0, first)
    .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
  const names = new Set(set.map(([name]) => name));
  const kept = env.filter(({ name }) => !names.has(name.trim()));
  const next = Math.max(-1, ...env.map(({ key }) => key)) + 1;
  return {
    command,
    args: args.map(argumentLine).join('\n'),
    env: [
      ...kept,
      ...[...new Map(set)].map(([name, value], index) => ({ key: next + index, name, value })),
    ],
    argumentCount: args.length,
    variableCount: names.size,
  };
}
