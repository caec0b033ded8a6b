import { describe, expect, it } from 'vitest';
import { readBaseUrl } from '../../adapters/llm/request/baseUrl.ts';
import { endpointPresets, ownPartOf } from './endpointPresets.ts';

describe('the presets of compatible endpoints', () => {
  it.each(endpointPresets)('$label has an address that a key may be sent to', (preset) => {
    const warnings: string[] = [];
    const own = ownPartOf(preset);
    const address = own === null ? preset.baseUrl : preset.baseUrl.replace(own, 'eu-1');
    const url = readBaseUrl(address, {
      withKey: true,
      warn: (message) => void warnings.push(message),
    });
    expect([url.href, warnings]).toEqual([address, []]);
    expect(url.hostname === 'localhost').toBe(preset.local);
  });

  it.each(endpointPresets.filter((preset) => ownPartOf(preset) !== null))(
    'the address of $label is refused until it is completed',
    (preset) => {
      expect(() => readBaseUrl(preset.baseUrl, { withKey: true, warn: () => undefined })).toThrow();
    },
  );

  it.each(endpointPresets)('$label links to its rules', ({ rules }) => {
    expect(new URL(rules).protocol).toBe('https:');
  });

  it('have different ids and labels', () => {
    for (const field of ['id', 'label', 'baseUrl'] as const)
      expect(new Set(endpointPresets.map((preset) => preset[field])).size).toBe(
        endpointPresets.length,
      );
  });
});
