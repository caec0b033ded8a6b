import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../../src-shared/domain/labels.ts';
import { mostConfused } from '../../../../../src-shared/metrics/confusion.ts';
import { confusionSentence } from './confusionSentence.ts';
import { nameLabels } from '../../../../../src-shared/display/toolNames.ts';

const labels = ['todo:complete_task', 'todo:list_tasks', 'todo:update_task', NO_TOOL, PHANTOM];
const matrix = [
  [2, 0, 3, 0, 1],
  [0, 4, 0, 1, 0],
  [0, 0, 3, 0, 0],
  [0, 1, 0, 3, 1],
  [0, 0, 0, 0, 0],
];

describe('a confusion as a sentence', () => {
  it('words each kind of confusion', () => {
    const nameOf = nameLabels(labels);
    expect(mostConfused({ labels, matrix }).map((pair) => confusionSentence(pair, nameOf))).toEqual(
      [
        'complete_task → update_task',
        'complete_task → a tool that was not offered',
        'list_tasks → no tool',
        'list_tasks called, no call expected',
        'a tool that was not offered, no call expected',
      ],
    );
  });

  it('adds the server when two tools share a name', () => {
    const nameOf = nameLabels([...labels, 'other:list_tasks']);
    expect(nameOf('todo:list_tasks')).toBe('todo:list_tasks');
    expect(nameOf(NO_TOOL)).toBe('no tool');
  });
});
