import { describe, expect, it } from 'vitest';
import type { GoldenQuery } from '../../../src-shared/domain/retrieval.ts';
import { flagHard, freshId, isUnlabelled, nearTool, searchTools, setLabel } from './goldenForm.ts';

const query: GoldenQuery = { id: 'q-1', query: 'x', labels: [{ tool_id: 'a:b', relevance: 2 }] };

describe('editing a golden query', () => {
  it('would catch a hard-negative flag that loses its tool, or unjudges a relevant one', () => {
    const flagged = flagHard(query, 'a:c');
    expect(nearTool(flagged)).toBe('a:c');
    expect(flagged.labels).toContainEqual({ tool_id: 'a:c', relevance: 0 });
    expect(flagHard(query, 'a:b').labels).toEqual(query.labels);
    expect(nearTool(flagHard(flagged, null))).toBeNull();
  });

  it('would catch a label that stands twice, moves, or can’t be taken away', () => {
    const two = setLabel(query, 'a:c', 1);
    expect(setLabel(two, 'a:b', 0).labels).toEqual([
      { tool_id: 'a:b', relevance: 0 },
      { tool_id: 'a:c', relevance: 1 },
    ]);
    expect(isUnlabelled(setLabel(query, 'a:b', null))).toBe(true);
  });

  it('would catch a new id that is taken', () => {
    expect(freshId([query, { ...query, id: 'q-3' }])).toBe('q-4');
  });

  it('would catch a label search that misses words of the description', () => {
    const tools = [
      { toolId: 'drive:share_file', description: 'Grants access' },
      { toolId: 'mail:send', description: 'Sends a file' },
    ];
    expect(searchTools(tools, 'file access').map(({ toolId }) => toolId)).toEqual([
      'drive:share_file',
      'mail:send',
    ]);
    expect(searchTools(tools, ' ')).toEqual([]);
  });
});
