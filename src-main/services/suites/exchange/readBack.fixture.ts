import { expect } from 'vitest';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import { casesOfFile, tasksOfFile } from '../../../../src-shared/domain/suiteFile.ts';
import type { ReadOptions } from './caseExchange.ts';
import { exchangeFormats } from './formats.ts';

/** Reads a text in a format of another program, with the options that a user leaves unset. */
export function read(format: ForeignFormat, text: string, options: Partial<ReadOptions> = {}) {
  const { suite, ...found } = exchangeFormats[format].read(text, {
    fileName: 'orders.txt',
    map: {},
    server: null,
    name: null,
    schemaOf: () => null,
    ...options,
  });
  return {
    ...found,
    suite: suite && { ...suite, cases: casesOfFile(suite) },
    tasks: suite ? tasksOfFile(suite) : [],
  };
}

/** Writes what was read and reads it again, which gives the same suite if the format can hold it. */
export function readBack(format: ForeignFormat, text: string, options: Partial<ReadOptions> = {}) {
  const first = read(format, text, options);
  expect(first.problems).toEqual([]);
  if (first.suite === null) throw new Error('There is no suite.');
  const written = exchangeFormats[format].write(first.suite, first.tasks);
  const second = read(format, written.text, {
    ...options,
    map: {},
    fileName: `orders${exchangeFormats[format].extension}`,
    name: first.suite.name,
  });
  expect(second.problems).toEqual([]);
  return { first, second, losses: written.losses };
}
