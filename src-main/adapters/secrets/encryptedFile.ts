import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { sha256 } from '../../runtime/sha256.ts';

/**
 * The file of keys: values by account, encrypted with AES-256-GCM under a key that scrypt derives
 * from a passphrase. The header is authenticated with the values, so that neither can be exchanged.
 */
const fileFormat = z.strictObject({
  touchstone_keys: z.literal(1),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    cost: z.int().min(2),
    block_size: z.int().min(1),
    parallelization: z.int().min(1),
    salt: z.base64(),
  }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), nonce: z.base64(), tag: z.base64() }),
  /** Tells a wrong passphrase from a file that was changed. */
  passphrase_check: z.base64(),
  data: z.base64(),
  /** SHA-256 of all of the above. It needs no passphrase to tell that the file is damaged. */
  checksum: z.string(),
});
type FileFormat = z.infer<typeof fileFormat>;
type Header = Pick<FileFormat, 'touchstone_keys' | 'kdf'>;

/** What scrypt may cost: memory in bytes is 128 × cost × block size. */
type KdfCost = Required<Pick<ScryptOptions, 'cost' | 'blockSize' | 'parallelization'>>;
/** 128 MB and about 0.4 s, as OWASP recommends for scrypt. */
export const defaultKdfCost: KdfCost = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
/** What a new file costs; tests of other things make it cheap. */
export const newFiles = { cost: defaultKdfCost };
const maxKdfBytes = 512 * 1024 * 1024;
const maxParallelization = 16;

/** An open file: what a passphrase gave, kept so that values can be written without asking again. */
export interface OpenedFile {
  header: Header;
  encryptionKey: Buffer;
  passphraseCheck: string;
  values: ReadonlyMap<string, string>;
}

export async function newFile(passphrase: string): Promise<OpenedFile> {
  const { cost } = newFiles;
  const header: Header = {
    touchstone_keys: 1,
    kdf: {
      name: 'scrypt',
      cost: cost.cost,
      block_size: cost.blockSize,
      parallelization: cost.parallelization,
      salt: randomBytes(16).toString('base64'),
    },
  };
  return { header, ...(await deriveKeys(header, passphrase)), values: new Map() };
}

/** The text of the file. Each call draws a new nonce. */
export function sealFile({ header, encryptionKey, passphraseCheck, values }: OpenedFile): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce);
  cipher.setAAD(Buffer.from(JSON.stringify(header)));
  const text = JSON.stringify(Object.fromEntries(values));
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
  const sealed = {
    ...header,
    cipher: {
      name: 'aes-256-gcm' as const,
      nonce: nonce.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
    },
    passphrase_check: passphraseCheck,
    data,
  };
  const file: FileFormat = { ...sealed, checksum: sha256(JSON.stringify(sealed)) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/**
 * Opens the text of a file. Throws ServiceError INVALID: for a damaged file, one of a newer version,
 * a wrong passphrase, or one that was changed on purpose.
 */
export async function openFile(text: string, passphrase: string): Promise<OpenedFile> {
  const file = readFormat(text);
  const header = headerOf(file);
  const keys = await deriveKeys(header, passphrase);
  const expected = Buffer.from(sha256(file.passphrase_check));
  if (!timingSafeEqual(Buffer.from(sha256(keys.passphraseCheck)), expected))
    throw problemOfFile(
      'The passphrase is wrong.',
      'Try again. Without the passphrase, the keys in the file can’t be read: turn the file off ' +
        'and enter them again.',
      'passphrase',
    );
  return { header, ...keys, values: decryptValues(file, keys.encryptionKey) };
}

/**
 * Opens a later text of the same file without its passphrase; null if that was changed. Throws like
 * `openFile`.
 */
export function reopenFile(text: string, opened: OpenedFile): OpenedFile | null {
  const file = readFormat(text);
  if (JSON.stringify(headerOf(file)) !== JSON.stringify(opened.header)) return null;
  return { ...opened, values: decryptValues(file, opened.encryptionKey) };
}

const headerOf = ({ touchstone_keys, kdf }: FileFormat): Header => ({ touchstone_keys, kdf });

function decryptValues(file: FileFormat, encryptionKey: Buffer): ReadonlyMap<string, string> {
  const nonce = Buffer.from(file.cipher.nonce, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: 16 });
    decipher.setAAD(Buffer.from(JSON.stringify(headerOf(file))));
    decipher.setAuthTag(Buffer.from(file.cipher.tag, 'base64'));
    const text = decipher.update(file.data, 'base64', 'utf8') + decipher.final('utf8');
    return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text))));
  } catch {
    throw changedFile();
  }
}

/** Throws for a file that no passphrase opens: a damaged one, or one of a newer version. */
export const checkFile = (text: string): void => void readFormat(text);

/** Checks the format without a passphrase. */
function readFormat(text: string): FileFormat {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damagedFile();
  }
  const version = z.looseObject({ touchstone_keys: z.int() }).safeParse(json);
  if (version.success && version.data.touchstone_keys > 1)
    throw problemOfFile(
      'It was written by a newer version of Touchstone.',
      'Open it with that version.',
    );
  const parsed = fileFormat.safeParse(json);
  if (!parsed.success) throw damagedFile();
  const { checksum, ...sealed } = parsed.data;
  if (sha256(JSON.stringify(sealed)) !== checksum) throw damagedFile();
  const { cost, block_size: blockSize, parallelization } = sealed.kdf;
  const isPowerOfTwo = Number.isInteger(Math.log2(cost));
  const isAffordable =
    128 * cost * blockSize <= maxKdfBytes && parallelization <= maxParallelization;
  if (!isPowerOfTwo || !isAffordable) throw changedFile();
  return parsed.data;
}

/** One half of the derived bytes encrypts, the other one only tells whether the passphrase fits. */
function deriveKeys(
  { kdf }: Header,
  passphrase: string,
): Promise<Pick<OpenedFile, 'encryptionKey' | 'passphraseCheck'>> {
  const { cost, block_size: blockSize, parallelization } = kdf;
  return new Promise((resolve, reject) => {
    // The same characters can be typed as different code points, on a Mac for example.
    scrypt(
      passphrase.normalize('NFKC'),
      Buffer.from(kdf.salt, 'base64'),
      64,
      { cost, blockSize, parallelization, maxmem: 2 * maxKdfBytes },
      (error, bytes) => {
        if (error !== null) {
          reject(error);
          return;
        }
        const passphraseCheck = createHmac('sha256', bytes.subarray(32))
          .update('touchstone keys')
          .digest('base64');
        resolve({ encryptionKey: bytes.subarray(0, 32), passphraseCheck });
      },
    );
  });
}

export function problemOfFile(cause: string, nextStep: string, field?: string): ServiceError {
  return new ServiceError('INVALID', {
    thing: 'File of keys',
    cause,
    nextStep,
    ...(field !== undefined && { field }),
  });
}

export const damagedFile = (): ServiceError =>
  problemOfFile(
    'It is damaged or incomplete, and was left unchanged.',
    'Replace it with a copy, or turn the file off and enter the keys again.',
  );

const changedFile = (): ServiceError =>
  problemOfFile(
    'It was changed by something other than Touchstone, and was left unchanged.',
    'Replace it with a copy, or turn the file off and enter the keys again.',
  );
