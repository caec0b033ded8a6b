import { describe, expect, it } from 'vitest';
import type { GoldenQuery } from '../../../src-shared/domain/retrieval.ts';
import {
  flagHard,
  nextQueryId,
  isUnlabeled,
  nearTool,
  searchTools,
  setLabel,
} from './goldenForm.ts';

const query: GoldenQuery = { id: 'q-1', query: 'x', labels: [{ tool_id: 'a:b', relevance: 2 }] };

describe('golden query form', () => {
  it('flags a hard negative without changing relevant labels', () => {
    const flagged = flagHard(query, 'a:c');
    expect(nearTool(flagged)).toBe('a:c');
    expect(flagged.labels).toContainEqual({ tool_id: 'a:c', relevance: 0 });
    expect(flagHard(query, 'a:b').labels).toEqual(query.labels);
    expect(nearTool(flagHard(flagged, null))).toBeNull();
  });

  it('sets, changes and removes a label in place', () => {
    const two = setLabel(query, 'a:c', 1);
    expect(setLabel(two, 'a:b', 0).labels).toEqual([
      { tool_id: 'a:b', relevance: 0 },
      { tool_id: 'a:c', relevance: 1 },
    ]);
    expect(isUnlabeled(setLabel(query, 'a:b', null))).toBe(true);
  });

  it('picks an unused ID', () => {
    expect(nextQueryId([query, { ...query, id: 'q-3' }])).toBe('q-4');
  });

  it('finds tools by words of name and description', () => {
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
