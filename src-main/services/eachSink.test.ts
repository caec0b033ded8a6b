import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodings } from '../adapters/secrets/encodings.fixture.ts';
import { leaksOf } from '../testing/secretLeaks.ts';
import { sinks, writingIn } from '../testing/eachSink.ts';

describe('T60: each sink by itself', () => {
  it.each(Object.entries(sinks))(
    'passes no secret on in any encoding, whole, cut or split: %s',
    async (name, sink) => {
      await fc.assert(
        fc.asyncProperty(writingIn(Object.values(encodings)), async ({ secret, texts }) => {
          expect(leaksOf([secret], await sink(texts, secret))).toEqual([]);
        }),
        { numRuns: name === 'store' ? 12 : 40 },
      );
      // The same sink without a secret to guard passes everything on.
      const shown = await sink(['a plain text'], 'another-secret-1');
      expect(shown.includes('a plain text')).toBe(true);
    },
  );
});
