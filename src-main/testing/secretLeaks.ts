/** So many characters of a secret in a row are a leak. */
const leak = 9;

/**
 * The pieces of secrets that bytes show to somebody who looks hard: in any case, in Base64 and
 * hexadecimal, and under up to four levels of escapes. Written apart from the redactor, so that both
 * don't share a mistake.
 */
export function leaksOf(secrets: readonly string[], bytes: Buffer | string): string[] {
  const text = typeof bytes === 'string' ? bytes : bytes.toString('latin1');
  const pieces = secrets.flatMap((secret) =>
    Array.from({ length: secret.length - leak + 1 }, (_, at) =>
      secret.slice(at, at + leak).toLowerCase(),
    ),
  );
  const readings = new Set<string>();
  let current = text;
  for (let level = 0; level <= 4; level += 1) {
    readings.add(current);
    const next = unescape(current);
    if (next === current) break;
    current = next;
  }
  for (const reading of [...readings])
    for (const decoded of decodedRuns(reading)) readings.add(decoded);
  const found = [...readings].flatMap((reading) => {
    const lower = reading.toLowerCase();
    return pieces.filter((piece) => lower.includes(piece));
  });
  return [...new Set(found)];
}

function unescape(text: string): string {
  return text
    .replace(/\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\\x([\da-f]{2})/gi, (_all, a, b, c) =>
      String.fromCharCode(Number.parseInt(String(a ?? b ?? c), 16)),
    )
    .replace(/%([\da-f]{2})/gi, (_all, code) =>
      String.fromCharCode(Number.parseInt(String(code), 16)),
    )
    .replace(/&#x([\da-f]+);/gi, (_all, code) =>
      String.fromCharCode(Number.parseInt(String(code), 16)),
    )
    .replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))
    .replace(/\\(["\\/])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

function decodedRuns(text: string): string[] {
  const hexadecimal = text.match(/[\da-f]{18,}/gi) ?? [];
  const base64 = text.match(/[\w+/-]{12,}/g) ?? [];
  return [
    ...hexadecimal.flatMap((run) =>
      [0, 1].map((offset) => Buffer.from(run.slice(offset), 'hex').toString('latin1')),
    ),
    ...base64.flatMap((run) =>
      [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString('latin1')),
    ),
  ];
}
