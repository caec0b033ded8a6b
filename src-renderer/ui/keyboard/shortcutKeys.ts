/** The parts of a keyboard event that identify a shortcut. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** True if `keys` (“mod+k”, “?”, “j”, “Escape”) was pressed; `mod` is Ctrl, or Cmd on a Mac. */
export function matchesKeys(keys: string, press: KeyPress): boolean {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const wantsMod = parts.length > 1 && parts[0]?.toLowerCase() === 'mod';
  const mod = press.ctrlKey || press.metaKey;
  if (press.altKey || mod !== wantsMod) return false;
  return press.key.toLowerCase() === key.toLowerCase();
}

/** Keys as people write them: “⌘K” on a Mac, “Ctrl K” elsewhere. */
export function writtenKeys(keys: string, mac: boolean): string {
  return keys
    .split('+')
    .map((part) => {
      if (part.toLowerCase() === 'mod') return mac ? '⌘' : 'Ctrl';
      return part.length === 1 ? part.toUpperCase() : part;
    })
    .join(mac ? '' : ' ');
}
