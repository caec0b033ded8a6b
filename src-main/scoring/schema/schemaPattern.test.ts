import { describe, expect, it } from 'vitest';
import { schemaPattern } from './schemaPattern.ts';

describe('schemaPattern', () => {
  it.each<[string, string[], string[]]>([
    ['^\\d{3}-\\d{4}$', ['555-1234'], ['5551234']],
    ['(?i)^abc$', ['ABC'], ['abd']],
    ['(?s)a.b', ['a\nb'], ['ab']],
    ['\\A\\d+\\z', ['12'], ['a12', 'A12z']],
    ['\\A[a-z]+\\Z', ['ab'], ['AabZ']],
    ['^(?P<year>\\d+)-(?P=year)$', ['1-1'], ['1-2']],
    ['^[\\w-.]+$', ['a-b.c'], ['a b']],
    ['^[.-\\w]+$', ['a-b.c'], ['a b']],
    ['^[a-z\\-\\.]+\\-x$', ['a.b-x'], ['a_x']],
    ['^\\_\\@\\"$', ['_@"'], ['\\_']],
    ['^\\p{L}+\\-\\d$', ['é-1'], ['p{L}-1']],
    ['^a{b}$', ['a{b}'], ['ab']],
    ['^x}]$', ['x}]'], ['x']],
    ['^(?<a>x)\\k<a>\\:$', ['xx:'], ['x:']],
  ])('reads %s', (pattern, matching, others) => {
    const read = schemaPattern(pattern);
    expect(matching.filter((text) => read?.test(text) !== true)).toEqual([]);
    expect(others.filter((text) => read?.test(text) !== false)).toEqual([]);
  });

  it.each(['(', '^a++$', '(?>a)b', '(?x) a b', '[[:alpha:]]+', '\\Ga', '\\Qa.b\\E', '[]a]', 'a\\'])(
    'does not read %s, which ECMAScript without the flag u would read as something else or not at all',
    (pattern) => {
      expect(schemaPattern(pattern)).toBeNull();
    },
  );
});
