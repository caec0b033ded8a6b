import { describe, expect, test } from 'vitest';
import { Masker } from './maskTexts.ts';

describe('a masked text', () => {
  test.each(['x', 'a.', 'a-', '7', '0f', 'ab:', '_', ' '])(
    'is searched to its end, however often it repeats %j',
    (part) => {
      const long = part.repeat(400_000 / part.length);
      const masked = new Masker().text(`${long} mia@shop.test`);
      expect(masked.slice(-20)).toBe(' person1@example.com');
    },
  );

  test.each([
    ['call +49 30 901820 now', 'call +1 202 555 0100 now'],
    ['call (212) 555-7890', 'call +1 202 555 0100'],
    // Examples of ISO 13616 and of the test pages of card schemes.
    ['to DE89 3704 0044 0532 0130 00.', 'to XX00TEST0000000001.'],
    ['GB82WEST12345698765432', 'XX00TEST0000000001'],
    ['5500-0000-0000-0004', '4000000000000001'],
    ['from 10.1.2.3 and 10.1.2.3', 'from 192.0.2.1 and 192.0.2.1'],
    ['at 2a02:8108::1', 'at 2001:db8::1'],
    ['078-05-1120', '000-00-0001'],
    ['my password is hunter22', 'my password is masked-key-1'],
    ['Authorization: Bearer abcdef1234567890', 'Authorization: Bearer masked-key-1'],
    ['https://a.test/?api_key=abc123def456', 'https://a.test/?api_key=masked-key-1'],
  ])('replaces in %s', (text, masked) => {
    expect(new Masker().text(text)).toBe(masked);
  });

  test.each([
    'on 2026-06-01 at 10:30:00',
    'order 4111111111111112',
    'version 1.2.3.4.5 and 12.5.1',
    'parcel PX-1234567890123',
    '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    'from 1200 to 3400',
    'Note: buy milk',
    'a::b, std::vector',
    'see person1@example.com',
  ])('leaves %s', (text) => {
    expect(new Masker().text(text)).toBe(text);
  });

  test('hides arguments by their names', () => {
    expect(new Masker().object({ token: 'plain-words', title: 'plain-words' })).toEqual({
      token: 'masked-key-1',
      title: 'plain-words',
    });
  });
});
