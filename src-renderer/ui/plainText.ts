/** Makes control characters visible (ESC as ␛), save tab and line ends: what is shown is what is there. */
export function visibleControls(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) =>
    character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  );
}

/** The first `limit` characters, never ending inside a surrogate pair. */
export function firstCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
