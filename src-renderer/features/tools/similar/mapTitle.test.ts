import { describe, expect, it } from 'vitest';
import type { SimilarityPair } from '../../../../src-shared/domain/similarity.ts';
import { mapTitle } from './mapTitle.ts';

const tool = (server: string) => ({ server, name: 't', description: '', inputSchema: {} });
const pair = (a: number, b: number, overlap: number): SimilarityPair => ({
  a,
  b,
  overlap,
  score: overlap,
  similarityScore: 0,
  fullSimilarityScore: null,
  dimensions: { semantic: 0, parameters: null, description: 0 },
});
const tools = [tool('x'), tool('x'), tool('y')];

describe('mapTitle', () => {
  it.each([
    [[pair(0, 1, 0.5)], 'No pair reaches 0.85'],
    [[pair(0, 1, 0.85)], 'Similar pairs are within servers'],
    [[pair(0, 2, 0.9)], 'The similar pair is on two servers'],
    [[pair(0, 1, 0.9), pair(0, 2, 0.9)], '1 of 2 similar pairs is across servers'],
  ])('says where the flagged pairs are (%#)', (pairs, title) => {
    expect(mapTitle({ tools }, pairs, 0.85)).toBe(title);
  });

  it('does not speak of servers where there is one', () => {
    expect(mapTitle({ tools: [tool('x'), tool('x')] }, [pair(0, 1, 1)], 0.85)).toBe(
      'One pair stands out',
    );
  });
});
