import { expect, test } from 'vitest';
import { readModelOptions } from './modelOptions.ts';

test('a preset gives its address', () => {
  expect(readModelOptions({ preset: 'vllm' })).toMatchObject({
    baseUrl: 'http://localhost:8000/v1',
  });
});

test('a preset whose address is incomplete says what is missing and where its rules are', () => {
  expect(() => readModelOptions({ preset: 'azure' })).toThrow(
    /<resource>\. Give --base-url https:.* with yours\. What it supports: https:/,
  );
});

test('an unknown preset of a project file is refused with the known ones', () => {
  expect(() => readModelOptions({ preset: 'olama' })).toThrow(/No preset has this name.*ollama/);
});
