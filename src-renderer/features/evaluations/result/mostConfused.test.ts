import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import { confusionSentence, mostConfused } from './mostConfused.ts';
import { nameLabels } from '../../../../src-shared/display/toolNames.ts';

const labels = ['todo:complete_task', 'todo:list_tasks', 'todo:update_task', NO_TOOL, PHANTOM];
const matrix = [
  [2, 0, 3, 0, 1],
  [0, 4, 0, 1, 0],
  [0, 0, 3, 0, 0],
  [0, 1, 0, 3, 1],
  [0, 0, 0, 0, 0],
];

describe('mostConfused', () => {
  it('lists wrong choices only, most frequent first', () => {
    const pairs = mostConfused({ labels, matrix }, 10);
    expect(pairs.every(({ expected, selected }) => expected !== selected)).toBe(true);
    expect(pairs.map(({ count }) => count)).toEqual([3, 1, 1, 1, 1]);
    expect(pairs[0]).toEqual({
      expected: 'todo:complete_task',
      selected: 'todo:update_task',
      count: 3,
    });
  });

  it('words each kind of confusion', () => {
    const nameOf = nameLabels(labels);
    expect(
      mostConfused({ labels, matrix }, 10).map((pair) => confusionSentence(pair, nameOf)),
    ).toEqual([
      'complete_task → update_task',
      'complete_task → a tool that was not offered',
      'list_tasks → no tool',
      'list_tasks called, no call expected',
      'a tool that was not offered, no call expected',
    ]);
  });

  it('adds the server when two tools share a name', () => {
    const nameOf = nameLabels([...labels, 'other:list_tasks']);
    expect(nameOf('todo:list_tasks')).toBe('todo:list_tasks');
    expect(nameOf(NO_TOOL)).toBe('no tool');
  });

  it('is empty without confusions', () => {
    expect(
      mostConfused(
        {
          labels: [NO_TOOL, PHANTOM],
          matrix: [
            [5, 0],
            [0, 0],
          ],
        },
        3,
      ),
    ).toEqual([]);
  });
});
