import { describe, expect, it } from 'vitest';
import { NO_TOOL, PHANTOM } from '../../../../../src-shared/domain/labels.ts';
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
      'issues was called 3 times where no call was expected',
      'issues got 18% (2 of 11) of the calls for code',
      '9% (1 of 11) of the calls for code were not made',
      'A tool that was not offered got 17% (1 of 6) of the calls for issues',
    ]);
  });
});
