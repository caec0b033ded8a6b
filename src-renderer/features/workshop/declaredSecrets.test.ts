import { describe, expect, it } from 'vitest';
import { declaredSecrets, withDeclaredSecrets } from './declaredSecrets.ts';

describe('the secrets that a draft declares', () => {
  it('changes the names and keeps every other setting', () => {
    const before = JSON.stringify({ timeout: 5, secrets: ['A'], env: { B: 'c' } });
    expect(declaredSecrets(before)).toEqual(['A']);
    expect(JSON.parse(withDeclaredSecrets(before, ['A', 'D']))).toEqual({
      timeout: 5,
      secrets: ['A', 'D'],
      env: { B: 'c' },
    });
  });

  it('reads empty settings as no secrets', () => {
    expect(declaredSecrets('')).toEqual([]);
    expect(JSON.parse(withDeclaredSecrets('', ['A']))).toEqual({ secrets: ['A'] });
  });

  it.each(['{', '[]', '{"secrets":1}'])('returns null where they can’t be read: %s', (text) => {
    expect(declaredSecrets(text)).toBeNull();
  });
});
