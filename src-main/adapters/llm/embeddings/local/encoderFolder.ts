import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ServiceError } from '../../../../../src-shared/contract/errors.ts';
import { fileCause } from '../../../../runtime/fileProblem.ts';
import { openPlainFile, readPlainFile } from '../../../../runtime/plainFile.ts';

/** What a worker needs to encode texts; nothing of it is loaded yet. */
export interface EncoderFolder {
  /** Names the folder in every message. */
  thing: string;
  modelFile: string;
  tokenizerFile: string;
  /** Null if the folder has none: the tokenizer then adds no tokens of its own. */
  tokenizerConfigFile: string | null;
  /** Files of the two packages that run a model. */
  runtime: { onnx: string; tokenizers: string };
  pooling: 'mean' | 'first';
  /** Longer texts are cut to this number of tokens. */
  maxTokens: number;
  /** SHA-256 of the model, so that a changed model never answers from the cache of another. */
  identity: string;
}

/** Where sentence encoders keep their model, the most common place first. */
const modelFiles = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx'];
/** The first one that is installed runs the model; the second needs no binary for the machine. */
const onnxPackages = ['onnxruntime-node', 'onnxruntime-web'];
const tokenizersPackage = '@huggingface/tokenizers';
const usualMaxTokens = 512;
const largestMaxTokens = 8192;
const maxConfigBytes = 16 * 1024 * 1024;
/** A model that runs here is held in memory. */
const maxModelBytes = 4 * 1024 * 1024 * 1024;

const poolingConfig = z.object({ pooling_mode_cls_token: z.boolean().optional() });
const lengthConfig = z.object({
  max_seq_length: z.number().int().positive().optional(),
  model_max_length: z.number().positive().optional(),
});

/**
 * Reads what a folder with a sentence encoder has. Nothing is ever downloaded: the person puts the
 * model there and installs the packages that run it. Throws ServiceError INVALID that says what is
 * missing.
 *
 * @param lookIn folders whose packages are used, besides those of the model's own folder
 */
export async function readEncoderFolder(
  path: string,
  lookIn: readonly string[] = [import.meta.dirname],
): Promise<EncoderFolder> {
  const folder = resolve(path.replace(/^~(?=[\\/])/, homedir()));
  const thing = `Encoder ${basename(folder)}`;
  const fail = (cause: string, nextStep: string): never => {
    throw new ServiceError('INVALID', { thing, cause, nextStep });
  };
  if (!existsSync(folder))
    return fail(`${folder} doesn't exist.`, 'Give the path of a folder with an ONNX model.');
  const modelFile = modelFiles.map((name) => join(folder, name)).find(existsSync);
  const tokenizerFile = join(folder, 'tokenizer.json');
  if (modelFile === undefined || !existsSync(tokenizerFile))
    return fail(
      `${folder} has no ${modelFile === undefined ? modelFiles[1] : 'tokenizer.json'}.`,
      'Choose the folder of a sentence encoder in ONNX format, with model.onnx (or ' +
        'onnx/model.onnx) and tokenizer.json.',
    );
  const places = [folder, ...lookIn];
  const onnx = onnxPackages.map((name) => installed(name, places)).find((file) => file !== null);
  const tokenizers = installed(tokenizersPackage, places);
  if (!onnx || !tokenizers)
    return fail(
      'The packages that run it are not installed.',
      `Run: npm install --prefix "${folder}" ${onnxPackages[1]} ${tokenizersPackage}`,
    );
  const [pooling, sentence, tokenizer] = await Promise.all([
    readConfig(join(folder, '1_Pooling/config.json'), poolingConfig),
    readConfig(join(folder, 'sentence_bert_config.json'), lengthConfig),
    readConfig(join(folder, 'tokenizer_config.json'), lengthConfig),
  ]);
  const stated = sentence?.max_seq_length ?? tokenizer?.model_max_length ?? usualMaxTokens;
  return {
    thing,
    modelFile,
    tokenizerFile,
    tokenizerConfigFile: tokenizer === null ? null : join(folder, 'tokenizer_config.json'),
    runtime: { onnx, tokenizers },
    pooling: pooling?.pooling_mode_cls_token === true ? 'first' : 'mean',
    maxTokens: stated <= largestMaxTokens ? stated : usualMaxTokens,
    identity: await sha256OfFile(modelFile).catch((error: unknown) =>
      fail(`${modelFile}: ${fileCause(error, 'read')}`, 'Put the model there as a plain file.'),
    ),
  };
}

/** The file that a package is loaded from, or null where it isn't installed. */
function installed(name: string, places: readonly string[]): string | null {
  for (const place of places) {
    try {
      return createRequire(pathToFileURL(join(place, 'package.json'))).resolve(name);
    } catch {
      // Not here: the next place may have it.
    }
  }
  return null;
}

/** Null if the file doesn't exist or says something else. */
async function readConfig<Shape>(file: string, shape: z.ZodType<Shape>): Promise<Shape | null> {
  try {
    const text = (await readPlainFile(file, { maxBytes: maxConfigBytes })).toString('utf8');
    return shape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

async function sha256OfFile(file: string): Promise<string> {
  const handle = await openPlainFile(file, { maxBytes: maxModelBytes });
  try {
    const hash = createHash('sha256');
    let rest = (await handle.stat()).size;
    const part = Buffer.allocUnsafe(1024 * 1024);
    while (rest > 0) {
      const { bytesRead } = await handle.read(part, 0, Math.min(part.length, rest), null);
      if (bytesRead === 0) break;
      hash.update(part.subarray(0, bytesRead));
      rest -= bytesRead;
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
