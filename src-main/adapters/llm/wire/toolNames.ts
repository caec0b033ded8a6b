import { createHash } from 'node:crypto';

/** The limit of the strictest provider, which accepts letters, digits, `_` and `-`. */
export const maxNameLength = 64;

/** What Kimi K2 (the number of the call) and Llama (`x.call(…)`) put after a name. */
export const callSuffix = /:\d{1,6}$|\.call$/;

export interface NamedTool {
  server: string;
  name: string;
}

/**
 * Wire names of a set of tools, in their order: `server__tool` with `_` for every character that a
 * provider may reject, after `s_` where it doesn't begin with a letter (Gemini: "Must start with a
 * letter or an underscore"; older Bedrock: "[a-zA-Z][a-zA-Z0-9_]*"). A name that is too long, has no letter or digit, or differs from another at
 * most by case is shortened and ends in `_` and the first 8 hex digits of SHA-256(server, 0x00,
 * tool). The names are unique and depend on the set, not on its order. Source: docs/rules.md §3.
 */
export function nameTools(tools: readonly NamedTool[]): string[] {
  const digests = tools.map(({ server, name }) =>
    createHash('sha256').update(bytesOf(server)).update('\0').update(bytesOf(name)).digest('hex'),
  );
  const plain = tools.map(({ server, name }) =>
    `${clean(server)}__${clean(name)}`.replace(/^(?![A-Za-z])/, 's_'),
  );
  // How many digits of its digest each name ends in; 0 = none.
  const digits: number[] = tools.map(({ name }, index) =>
    (plain[index]?.length ?? 0) > maxNameLength || !/[A-Za-z0-9]/.test(clean(name)) ? 8 : 0,
  );
  for (;;) {
    const names = plain.map((text, index) =>
      withDigest(text, (digests[index] ?? '').slice(0, digits[index])),
    );
    const groups = Map.groupBy(names.keys(), (index) => names[index]?.toLowerCase());
    const clashing = [...groups.values()].filter((group) => group.length > 1);
    if (clashing.length === 0) return names;
    for (const group of clashing) {
      // Names without digits get some first; only names with equal digits need more of them.
      const bare = group.filter((index) => digits[index] === 0);
      for (const index of bare.length > 0 ? bare : group)
        digits[index] = Math.min((digits[index] ?? 0) + 8, 56);
      if (bare.length === 0 && group.every((index) => digests[index] === digests[group[0] ?? 0]))
        throw new Error(`Tool ${names[group[0] ?? 0] ?? ''} is offered twice.`);
    }
  }
}

/** A lone surrogate has no UTF-8 form: it is escaped, so that such names stay different. */
const bytesOf = (text: string): string => (text.isWellFormed() ? text : JSON.stringify(text));

const clean = (text: string): string => text.replace(/[^A-Za-z0-9_-]/gu, '_');

function withDigest(name: string, digest: string): string {
  return digest === '' ? name : `${name.slice(0, maxNameLength - 1 - digest.length)}_${digest}`;
}
