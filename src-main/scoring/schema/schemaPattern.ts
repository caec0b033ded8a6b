/** Escapes of other languages with one exact meaning in ECMAScript. */
const otherEscapes: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: '$',
  a: '\\x07',
  e: '\\x1b',
};

/** Letters after a backslash that mean something in ECMAScript. */
const ownEscapes = /[bBdDsSwWnrtfv0-9cxukpP]/u;
const syntaxCharacters = /[\^$\\.*+?()[\]{}|/]/u;

const knownFlags = /^\(\?([ims]+)\)/u;

/**
 * A pattern of a schema in ECMAScript with the flag u; null if it has no exact counterpart. Leading
 * flags such as `(?i)`, `\A`, `\z`, `\Z`, `(?P<name>` and escaped punctuation are translated, and so
 * is a hyphen next to a class (`[\w-.]`). Possessive quantifiers, atomic groups, POSIX classes and
 * other escapes are not: read as ECMAScript without the flag u, they would mean something else.
 */
function translate(pattern: string): { source: string; flags: string } | null {
  const leading = knownFlags.exec(pattern);
  const flags = `u${[...new Set(leading?.[1] ?? '')].join('')}`;
  const text = pattern
    .slice(leading?.[0].length ?? 0)
    .replace(/\(\?P</gu, '(?<')
    .replace(/\(\?P=(\w+)\)/gu, '\\k<$1>');
  let source = '';
  let inClass = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') {
      const next = text.charAt((at += 1));
      const escape = escapeOf(next, inClass, flags);
      if (escape === null) return null;
      // A range can't end with a class of characters, so the hyphen before one is a character.
      if (inClass && /[dDsSwWpP]/u.test(next) && /(?<!\[\^?)-$/u.test(source))
        source = `${source.slice(0, -1)}\\-`;
      source += escape;
      const braces = /[pPuk]/u.test(next)
        ? (/^(?:\{\w[\w=]*\}|<\w+>)/u.exec(text.slice(at + 1))?.[0] ?? '')
        : '';
      source += braces;
      at += braces.length;
      if (inClass && /[dDsSwW]/u.test(next) && text.charAt(at + 1) === '-') {
        source += '\\-';
        at += 1;
      }
      continue;
    }
    if (!inClass && char === '[') {
      inClass = true;
      // POSIX classes exist only inside a class, where ECMAScript reads them as single characters.
      if (/^\[\^?\]|^\[[^\]]*\[:\w+:\]/u.test(text.slice(at, at + 200))) return null;
    } else if (inClass && char === ']') inClass = false;
    else if (!inClass && /[{}\]]/u.test(char)) {
      // What quantifies nothing and closes nothing is a character, which needs a backslash here.
      const quantifier = /^\{\d+(?:,\d*)?\}/u.exec(text.slice(at))?.[0];
      source += quantifier ?? `\\${char}`;
      at += (quantifier ?? char).length - 1;
      continue;
    }
    source += char;
  }
  return { source, flags };
}

function escapeOf(next: string, inClass: boolean, flags: string): string | null {
  if (next === '') return null;
  if (ownEscapes.test(next) || syntaxCharacters.test(next)) return `\\${next}`;
  if (next === '-') return inClass ? '\\-' : '-';
  if (/[A-Za-z]/u.test(next)) {
    const other = otherEscapes[next];
    const isAnchor = other === '^' || other === '$';
    if (other === undefined || (isAnchor && (inClass || flags.includes('m')))) return null;
    return other;
  }
  return next;
}

const compiled = new Map<string, RegExp | null>();
const maxCompiled = 1_000;

function compile(pattern: string): RegExp | null {
  // What is valid with the flag u is ECMAScript and means just that.
  for (const read of [() => ({ source: pattern, flags: 'u' }), () => translate(pattern)]) {
    try {
      const found = read();
      if (found) return new RegExp(found.source, found.flags);
    } catch {
      // The next reading.
    }
  }
  return null;
}

/** The pattern of a schema as a regular expression, not anchored; null if it can't be read. */
export function schemaPattern(pattern: string): RegExp | null {
  let found = compiled.get(pattern);
  if (found === undefined) {
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(pattern, (found = compile(pattern)));
  }
  return found;
}
