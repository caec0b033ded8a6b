import { runInThisContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withLazyShapes } from './lazyShapes.ts';

type Member = (name: string) => z.ZodType;

/** What a module exports as `made` once it was built. */
function built(text: string, member: Member): z.ZodType {
  const code = withLazyShapes('module.ts', `import { z } from 'zod';\n${text}`);
  const body = code.replace(/^import .*$/mu, '').replace('export const made =', 'return');
  const make = runInThisContext(`(z, member) => {${body}}`) as (
    library: typeof z,
    given: Member,
  ) => z.ZodType;
  return make(z, member);
}

describe('The members of an object schema in a build', () => {
  let made: string[] = [];
  const member: Member = (name) => {
    made.push(name);
    return z.string();
  };
  afterEach(() => {
    made = [];
  });

  it('are made once, when a value is first parsed', () => {
    const schema = built(
      `export const made = z.strictObject({ one: member('one'), 'two': member('two').optional() });`,
      member,
    );
    expect(made).toEqual([]);
    expect(schema.parse({ one: 'a' })).toEqual({ one: 'a' });
    expect(schema.safeParse({ one: 'a', three: 'b' }).success).toBe(false);
    schema.parse({ one: 'b', two: 'c' });
    expect(made).toEqual(['one', 'two']);
  });

  it('are made once for a schema and those that pick from it or extend it', () => {
    const schema = built(
      `const base = z.object({ one: member('one'), inner: z.looseObject({ deep: member('deep') }) });
      const more = base.extend({ two: member('two') }).partial();
      export const made = z.union([base.pick({ one: true }).strict(), more]);`,
      member,
    );
    expect(made).toEqual([]);
    schema.parse({ one: 'a' });
    expect(made).toEqual(['one']);
    expect(schema.parse({ two: 'b', inner: { deep: 'c' } })).toEqual({
      two: 'b',
      inner: { deep: 'c' },
    });
    expect(made.toSorted()).toEqual(['deep', 'one', 'two']);
  });

  it('keep the lines of their module, and what a comment between them says', () => {
    const text = `import { z } from 'zod';
const made = z.object({
  /** What it is called: as people say it. */
  name: // Left as it is.
    z.string(),
  count, kind: z.literal('a'), ...z.shape,
});
`;
    const code = withLazyShapes('module.ts', text);
    expect(code.split('\n')).toHaveLength(text.split('\n').length);
    expect(code).toContain('get name() // Left as it is.\n    { return (z.string()); }');
    expect(code).toContain("count, get kind() { return (z.literal('a')); }, ...z.shape,");
  });

  it('stay where no member is made, in objects of others and in modules without schemas', () => {
    for (const text of [
      `import { z } from 'zod';\nconst made = z.object({ name, [key]: z.string() });`,
      `import { z } from 'zod';\nconst made = other.object({ name: z.string() });`,
      `import { z } from './other.ts';\nconst made = z.object({ name: z.string() });`,
    ])
      expect(withLazyShapes('module.ts', text)).toBe(text);
  });
});
