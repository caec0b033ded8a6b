import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../src-shared/domain/labels.ts';
import { captures, captureSentence } from './confusions.ts';

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
      'issues was called 3 times where none was due',
      'issues captures 18% (2 of 11) of what belongs to code',
      'code is not called in 9% (1 of 11) of its cases',
      'A tool that was not offered takes 17% (1 of 6) of what belongs to issues',
    ]);
  });
});
