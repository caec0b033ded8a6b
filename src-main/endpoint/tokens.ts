import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random token of 256 bits. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Compares digests in constant time, so that neither length nor time reveals where the tokens
 * differ.
 */
export function sameToken(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
