import { createHash, createHmac } from 'node:crypto';

/** The variable with the key that machines share who may write parts and cached answers. */
export const sealKeyVariable = 'TOUCHSTONE_SEAL_KEY';

/** Begins a seal that was made with a key. */
const keyed = 'hmac-sha256:';

/** A seal of a text that comes in pieces. */
export function openSeal(key: string | null): { add: (piece: string) => void; end: () => string } {
  const hash = key === null ? createHash('sha256') : createHmac('sha256', key);
  return {
    add: (piece) => void hash.update(piece),
    end: () => (key === null ? '' : keyed) + hash.digest('hex'),
  };
}

/**
 * What is written next to a text so that a later change of it shows: its SHA-256, which anybody can
 * make, or with a key its HMAC (RFC 2104), which only those can make who have the key.
 */
export function sealOf(text: string, key: string | null): string {
  const seal = openSeal(key);
  seal.add(text);
  return seal.end();
}

/**
 * Why a seal doesn't vouch for a text, of which `made` is the seal, as the end of a sentence; null if
 * it does.
 */
export function sealProblem(seal: string, made: string, key: string | null): string | null {
  if (seal === made) return null;
  if (key === null)
    return seal.startsWith(keyed)
      ? `is signed with a key, and ${sealKeyVariable} isn’t set here`
      : 'was changed after it was written';
  return seal.startsWith(keyed)
    ? `was changed after it was written, or signed with another key than that of ${sealKeyVariable}`
    : `isn’t signed with the key of ${sealKeyVariable}`;
}
