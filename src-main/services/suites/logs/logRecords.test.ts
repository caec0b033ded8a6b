import { expect, test } from 'vitest';
import { maxSuiteFileBytes } from '../../../../src-shared/contract/suites.ts';
import { logRecords } from './logRecords.ts';

test.each([
  ['{"resourceSpans": [', "jq -c '.resourceSpans[] | {resourceSpans: [.]}' FILE"],
  ['[', "jq -c '.[]' FILE"],
])(
  'refuses a document that is too long to read at once (%s) and says how to split it',
  (start, command) => {
    const text = `${start}${' '.repeat(maxSuiteFileBytes)}`;
    expect(() => [...logRecords({ text }, 'spans.json')]).toThrow(command);
  },
);
