import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes a folder with a sentence encoder of one layer: every word has the vector that is given,
 * unknown words have zeros. The model is an ONNX file with one `Gather`.
 */
export async function writeTinyEncoder(
  folder: string,
  vectors: Readonly<Record<string, readonly number[]>>,
  { inputs = ['input_ids', 'attention_mask'] }: { inputs?: readonly string[] } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const words = Object.keys(vectors);
  const depth = vectors[words[0] ?? '']?.length ?? 1;
  const table = [new Array<number>(depth).fill(0), ...Object.values(vectors)];
  await writeFile(join(folder, 'model.onnx'), onnxModel(table, inputs));
  await writeFile(
    join(folder, 'tokenizer.json'),
    JSON.stringify({
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: [],
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Whitespace' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: { '[UNK]': 0, ...Object.fromEntries(words.map((word, at) => [word, at + 1])) },
      },
    }),
  );
}

/** `last_hidden_state = Gather(table, input_ids)` in ONNX's protobuf. */
function onnxModel(table: readonly (readonly number[])[], inputs: readonly string[]): Uint8Array {
  const floats = 1;
  const int64 = 7;
  const depth = table[0]?.length ?? 0;
  const raw = new Uint8Array(Float32Array.from(table.flat()).buffer);
  const tensor = [
    ...integer(1, table.length),
    ...integer(1, depth),
    ...integer(2, floats),
    ...text(8, 'table'),
    ...block(9, raw),
  ];
  const node = [
    ...text(1, 'table'),
    ...text(1, 'input_ids'),
    ...text(2, 'last_hidden_state'),
    ...text(4, 'Gather'),
  ];
  const value = (name: string, type: number, dimensions: number[][]): number[] => [
    ...text(1, name),
    ...block(2, block(1, [...integer(1, type), ...block(2, dimensions.flat())])),
  ];
  const open = (name: string): number[] => block(1, text(2, name));
  const graph = [
    ...block(1, node),
    ...text(2, 'tiny'),
    ...block(5, tensor),
    ...inputs.flatMap((name) => block(11, value(name, int64, [open('batch'), open('length')]))),
    ...block(
      12,
      value('last_hidden_state', floats, [
        open('batch'),
        open('length'),
        block(1, integer(1, depth)),
      ]),
    ),
  ];
  const operators = [...text(1, ''), ...integer(2, 13)];
  return Uint8Array.from([...integer(1, 8), ...block(7, graph), ...block(8, operators)]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
const integer = (field: number, value: number): number[] => [
  ...varint(field << 3),
  ...varint(value),
];
const block = (field: number, content: Iterable<number>): number[] => {
  const bytes = [...content];
  return [...varint((field << 3) | 2), ...varint(bytes.length), ...bytes];
};
const text = (field: number, value: string): number[] =>
  block(field, new TextEncoder().encode(value));
