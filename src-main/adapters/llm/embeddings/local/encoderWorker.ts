import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { decodeText } from '../../../../../src-shared/display/decodeText.ts';
import { errorText } from '../../../../../src-shared/domain/errorText.ts';
import { readPlainFile } from '../../../../runtime/plainFile.ts';
import type { EncoderFolder } from './encoderFolder.ts';
import { poolTokens, unitVector } from './pooling.ts';

export type EncoderAnswer = { vectors: Float32Array[] } | { error: string };

/** The parts of the two packages that are used. */
interface Tensor {
  dims: readonly number[];
  data: Float32Array;
}
interface Onnx {
  env: { wasm?: { numThreads?: number } };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
  InferenceSession: {
    create: (file: string | Uint8Array) => Promise<{
      inputNames: readonly string[];
      outputNames: readonly string[];
      run: (feeds: Record<string, unknown>) => Promise<Record<string, Tensor>>;
    }>;
  };
}
interface Tokenizers {
  Tokenizer: new (
    tokenizer: unknown,
    config: unknown,
  ) => { encode: (text: string) => { ids: (number | undefined)[] } };
}

const { modelFile, tokenizerFile, tokenizerConfigFile, runtime, pooling, maxTokens } =
  workerData as EncoderFolder;

/** A replaced character would be another token, and give other vectors. */
async function readText(file: string): Promise<string> {
  const { text, problem } = decodeText(await readPlainFile(file));
  if (problem === null) return text;
  const { line, column, cause, remedy } = problem;
  throw new Error(`${file}, line ${line}, column ${column}: ${cause} ${remedy}`);
}

async function open() {
  const require = createRequire(runtime.onnx);
  const onnx = require(runtime.onnx) as Onnx;
  const { Tokenizer } = require(runtime.tokenizers) as Tokenizers;
  if (onnx.env.wasm) onnx.env.wasm.numThreads = 1;
  const [model, tokenizerText, configText] = await Promise.all([
    readPlainFile(modelFile, { maxBytes: Number.POSITIVE_INFINITY }),
    readText(tokenizerFile),
    tokenizerConfigFile === null ? '{}' : readText(tokenizerConfigFile),
  ]);
  const tokenizer = new Tokenizer(JSON.parse(tokenizerText), JSON.parse(configText));
  const session = await onnx.InferenceSession.create(new Uint8Array(model));
  return { onnx, tokenizer, session };
}

const opened = open();

/** The vectors of some texts: token vectors pooled to one, of length 1. */
async function encode(texts: readonly string[]): Promise<Float32Array[]> {
  const { onnx, tokenizer, session } = await opened;
  const rows = texts.map((text) => shortened(tokenizer.encode(text).ids.map((id) => id ?? 0)));
  const width = Math.max(1, ...rows.map((ids) => ids.length));
  const size = [rows.length, width];
  const matrix = (value: (row: readonly number[], at: number) => number): unknown => {
    const data = new BigInt64Array(rows.length * width);
    rows.forEach((row, line) => {
      for (let at = 0; at < width; at += 1) data[line * width + at] = BigInt(value(row, at));
    });
    return new onnx.Tensor('int64', data, size);
  };
  const known: Record<string, () => unknown> = {
    input_ids: () => matrix((row, at) => row[at] ?? 0),
    attention_mask: () => matrix((row, at) => (at < row.length ? 1 : 0)),
    token_type_ids: () => matrix(() => 0),
  };
  const feeds: Record<string, unknown> = {};
  for (const name of session.inputNames) {
    const make = known[name];
    if (!make) throw new Error(`The model asks for "${name}", which a sentence encoder doesn't.`);
    feeds[name] = make();
  }
  const outputs = await session.run(feeds);
  const sentence = outputs['sentence_embedding'];
  const found = sentence ?? outputs['last_hidden_state'] ?? outputs[session.outputNames[0] ?? ''];
  if (!found || found.dims[0] !== rows.length || ![2, 3].includes(found.dims.length))
    throw new Error("The model gives no vectors of tokens, so it isn't a sentence encoder.");
  const depth = found.dims.at(-1) ?? 0;
  const perRow = found.data.length / rows.length;
  return rows.map((ids, line) => {
    const values = found.data.subarray(line * perRow, (line + 1) * perRow);
    return unitVector(
      found.dims.length === 2 ? values : poolTokens(values, depth, ids.length, pooling),
    );
  });
}

/** Cut in the middle of the text, with the token that ends it. */
function shortened(ids: readonly number[]): readonly number[] {
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1) ?? 0];
}

const port = parentPort;
if (!port) throw new Error('The encoder works only in a worker thread.');
port.on('message', (texts: readonly string[]) => {
  encode(texts).then(
    (vectors) => port.postMessage({ vectors } satisfies EncoderAnswer),
    (error: unknown) => port.postMessage({ error: errorText(error) } satisfies EncoderAnswer),
  );
});
