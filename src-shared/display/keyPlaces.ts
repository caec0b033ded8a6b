import type { KeyPlace } from '../domain/keys.ts';

/** Where the value of a secret comes from, in a list of secrets. */
export const keyPlaceWords: Readonly<Record<KeyPlace, string>> = {
  keychain: 'set, in the keychain',
  file: 'set, in the encrypted file',
  memory: 'set, in memory until Touchstone closes',
  environment: 'set by an environment variable',
};
