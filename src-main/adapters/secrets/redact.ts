/** Shorter values are not redacted: they protect nothing, and they occur in ordinary text. */
const minLength = 8;
export const redacted = '[redacted]';

/**
 * Returns a function that replaces secrets by value wherever they occur: as they are, in URLs,
 * inside JSON, in base64 at any offset.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [
    ...new Set(secrets.filter((secret) => secret.length >= minLength).flatMap(formsOf)),
  ].sort((a, b) => b.length - a.length);
  return (text) =>
    forms.reduce(
      (cleaned, form) =>
        cleaned.includes(form) ? cleaned.replaceAll(form, () => redacted) : cleaned,
      text,
    );
}

function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const doubled = JSON.stringify(inJson).slice(1, -1);
  const base64 = [0, 1, 2].map((offset) => inBase64(secret, offset));
  const urlSafe = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const escaped = base64.map((text) => text.replaceAll('/', '\\/'));
  return [
    secret,
    inJson,
    doubled,
    encodeURIComponent(secret),
    encodeURI(secret),
    inJson.replaceAll('/', '\\/'),
    ...base64,
    ...urlSafe,
    ...escaped,
  ].filter((form) => form.length >= minLength);
}

/**
 * The base64 characters that depend on the secret alone if it starts `offset` bytes after a multiple
 * of three.
 */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes
    .toString('base64')
    .slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}
