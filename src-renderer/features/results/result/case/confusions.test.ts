import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../../src-shared/domain/labels.ts';
import { captureSentence, captures, confusionSentence } from './confusions.ts';
import { mostConfused } from '../../../../../src-shared/metrics/confusion.ts';
import { nameLabels } from '../../../../../src-shared/display/toolNames.ts';

const confusion = {
  labels: ['s:code', 's:issues', NO_TOOL, PHANTOM],
  matrix: [
    [8, 2, 1, 0],
    [0, 5, 0, 1],
    [0, 3, 4, 0],
    [0, 0, 0, 0],
  ],
};
const plain = (label: string) => label.replace('s:', '');

describe('captureSentence', () => {
  it('gives shares of expected calls', () => {
    const words = captures(confusion).map((one) => captureSentence(one, plain));
    expect(words).toEqual([
      'issues was called 3 times where no call was expected',
      'issues got 18% (2 of 11) of the calls for code',
      '9% (1 of 11) of the calls for code were not made',
      'A tool that was not offered got 17% (1 of 6) of the calls for issues',
    ]);
  });
});

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
