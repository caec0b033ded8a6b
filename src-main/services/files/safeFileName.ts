/**
 * Lower-case letters and digits of any script, joined by hyphens: safe in a path, readable in a
 * diff.
 */
export function slug(text: string, fallback: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const joined = (/^.{0,60}/u.exec(words.join('-'))?.[0] ?? '').replace(/-+$/, '');
  return joined === '' ? fallback : joined;
}

/** Names that Windows reserves for devices, with any extension. */
const windowsDeviceNames = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Makes a file name that stays in its folder on every system, whatever the suite is called. */
export function safeFileName(name: string, extension: string): string {
  const base = slug(name, 'suite');
  return `${windowsDeviceNames.test(base) ? `suite-${base}` : base}${extension}`;
}
