import { readFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { openLocalEncoder } from './openLocalEncoder.ts';
import { poolTokens, unitVector } from './pooling.ts';
import { writeTinyEncoder } from './tinyEncoder.fixture.ts';

const vectors = { mail: [1, 0, 0], letter: [0.8, 0.6, 0], file: [0, 0, 1] };
const { signal } = new AbortController();
const rounded = (vector: Float32Array | undefined) =>
  [...(vector ?? [])].map((value) => Math.round(value * 1000) / 1000);

describe('an encoder in a folder', () => {
  it('gives the mean of the vectors of the tokens, of length 1', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors);
    const encoder = await openLocalEncoder(folder.path);
    const found = await encoder.embed(['Mail', 'mail letter', 'file file mail'], { signal });
    expect(found.map(rounded)).toEqual([
      [1, 0, 0],
      [0.949, 0.316, 0],
      [0.447, 0, 0.894],
    ]);
  });

  it('gives a text the same vector alone and beside longer ones', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors);
    const encoder = await openLocalEncoder(folder.path);
    const texts = Array.from({ length: 40 }, (_, at) => `mail ${'letter '.repeat(at)}`);
    const batches: number[] = [];
    const together = await encoder.embed(texts, {
      signal,
      onBatch: (part) => batches.push(part.length),
    });
    const [alone] = await encoder.embed([texts[3] ?? ''], { signal });
    expect(rounded(together[3])).toEqual(rounded(alone));
    expect(batches).toEqual([16, 16, 8]);
  });

  it('takes the first token where the model says so, and gives the inputs that it asks for', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors, {
      inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    });
    await mkdir(join(folder.path, '1_Pooling'));
    await writeFile(
      join(folder.path, '1_Pooling/config.json'),
      JSON.stringify({ pooling_mode_cls_token: true }),
    );
    const encoder = await openLocalEncoder(folder.path);
    const [found] = await encoder.embed(['letter mail file'], { signal });
    expect(rounded(found)).toEqual([0.8, 0.6, 0]);
  });

  it('cuts a long text to the most tokens of the model', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors);
    await writeFile(
      join(folder.path, 'sentence_bert_config.json'),
      JSON.stringify({ max_seq_length: 2 }),
    );
    const encoder = await openLocalEncoder(folder.path);
    const [found] = await encoder.embed(['mail mail mail file'], { signal });
    expect(rounded(found)).toEqual([0.707, 0, 0.707]);
  });

  it('has another identity when its model changes', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors);
    const { identity } = await openLocalEncoder(folder.path);
    await writeTinyEncoder(folder.path, { ...vectors, file: [0, 1, 0] });
    expect((await openLocalEncoder(folder.path)).identity).not.toBe(identity);
  });

  it('says what a folder lacks and what to do', async () => {
    await using folder = await temporaryFolder();
    await expect(openLocalEncoder(join(folder.path, 'missing'))).rejects.toThrow(/doesn't exist/);
    await expect(openLocalEncoder(folder.path)).rejects.toThrow(/has no model\.onnx/);
    await writeTinyEncoder(folder.path, vectors);
    await expect(openLocalEncoder(folder.path, [])).rejects.toThrow(
      /not installed\. Run: npm install --prefix ".*" onnxruntime-web @huggingface\/tokenizers/,
    );
    await rm(join(folder.path, 'tokenizer.json'));
    await expect(openLocalEncoder(folder.path)).rejects.toThrow(/has no tokenizer\.json/);
  });

  it('says that a file is no model, and that a model is no sentence encoder', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors, { inputs: ['input_ids', 'pixel_values'] });
    const other = await openLocalEncoder(folder.path);
    await expect(other.embed(['mail'], { signal })).rejects.toThrow(/asks for "pixel_values"/);
    await writeFile(join(folder.path, 'model.onnx'), 'not a model');
    const broken = await openLocalEncoder(folder.path);
    await expect(broken.embed(['mail'], { signal })).rejects.toThrow(/Choose the folder/);
  });

  it('refuses a tokenizer that isn’t UTF-8, with the place', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors);
    const file = join(folder.path, 'tokenizer.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('mail', 'caf\xe9'), 'latin1');
    const encoder = await openLocalEncoder(folder.path);
    await expect(encoder.embed(['mail'], { signal })).rejects.toThrow(
      /line \d+, column \d+: .*0xE9/,
    );
  });

  it('ends when it is canceled', async () => {
    await using folder = await temporaryFolder();
    await writeTinyEncoder(folder.path, vectors);
    const encoder = await openLocalEncoder(folder.path);
    const abort = new AbortController();
    const embedded = encoder.embed(
      Array.from({ length: 100 }, () => 'mail'),
      { signal: abort.signal, onBatch: () => abort.abort() },
    );
    await expect(embedded).rejects.toThrow(/abort/i);
  });
});

describe('poolTokens', () => {
  it('leaves padding out of the mean', () => {
    expect([...poolTokens(Float32Array.from([1, 2, 3, 4, 9, 9]), 2, 2, 'mean')]).toEqual([2, 3]);
    expect([...poolTokens(Float32Array.from([1, 2, 3, 4]), 2, 2, 'first')]).toEqual([1, 2]);
    expect([...poolTokens(new Float32Array(2), 2, 0, 'mean')]).toEqual([0, 0]);
  });
});

describe('unitVector', () => {
  it('has length 1, or stays zero', () => {
    expect([...unitVector(Float32Array.from([3, 4]))].map((value) => value.toFixed(1))).toEqual([
      '0.6',
      '0.8',
    ]);
    expect([...unitVector(new Float32Array(2))]).toEqual([0, 0]);
  });
});
