import { describe, expect, it } from 'vitest';
import { matchesKeys, writtenKeys } from './shortcutKeys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

describe('shortcuts', () => {
  it('matches a single key only without Ctrl and Alt', () => {
    expect(matchesKeys('j', press('j'))).toBe(true);
    expect(matchesKeys('j', press('J'))).toBe(true);
    expect(matchesKeys('j', press('j', { ctrlKey: true }))).toBe(false);
    expect(matchesKeys('j', press('j', { altKey: true }))).toBe(false);
  });

  it('matches mod with Ctrl and with Cmd', () => {
    expect(matchesKeys('mod+k', press('k', { ctrlKey: true }))).toBe(true);
    expect(matchesKeys('mod+k', press('k', { metaKey: true }))).toBe(true);
    expect(matchesKeys('mod+k', press('k'))).toBe(false);
  });

  it('writes keys as the system does', () => {
    expect(writtenKeys('mod+k', true)).toBe('⌘K');
    expect(writtenKeys('mod+k', false)).toBe('Ctrl K');
    expect(writtenKeys('?', false)).toBe('?');
  });
});
