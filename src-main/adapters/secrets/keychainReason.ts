/**
 * Why a keychain can't be used, in plain words. What its package says is text of the system (D-Bus
 * names, numbers of errors), which tells nobody what to do.
 */
export function keychainReason(
  error: unknown,
  platform: NodeJS.Platform = process.platform,
): string {
  const text = error instanceof Error ? error.message : '';
  if (error instanceof KeychainTrouble) return text;
  if (/native binding|cannot find (?:module|package)|dlopen|\.node\b/i.test(text))
    return 'its package is not installed for this system: install Touchstone again';
  if (/locked|denied|not allowed|cancel|dismissed|\b-(?:128|25293|25308)\b/i.test(text))
    return 'it is locked, or access was refused: unlock it and start Touchstone again';
  return platform === 'linux'
    ? 'none answered: start one, such as GNOME Keyring or KWallet, and log in to the desktop'
    : 'none answered: log in to the system as the user who starts Touchstone';
}

/** A failure that this program noticed itself and names in its own words. */
export class KeychainTrouble extends Error {}
