export const mask = '••••••';

const surelySecretName =
  /(?:^|[-_.\s])(?:api[-_]?key|apikey|key|token|secret|passw(?:or)?d|passphrase|pwd|credentials?|authorization|cookie|bearer|private[-_]?key)$/i;
const secretName =
  /key|token|secret|passw|pwd|credential|auth|cookie|bearer|private|session|dsn|connection_?string|signature/i;
/** Formats of well-known credentials, and the password inside an address. */
const knownFormats = String.raw`\b(?:sk-[\w-]{8,}|gh[pousr]_\w{8,}|github_pat_\w{8,}|glpat-[\w-]{8,}|xox[abeprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|eyJ[\w-]{8,}\.[\w.-]+)|-----BEGIN [\s\S]+|(?<=:\/\/[^/\s:@]+:)[^@/\s]+(?=@)`;
const secretValue = new RegExp(knownFormats);

const reference = /\$\{[^}]*\}/g;
const authScheme = /^\s*(?:bearer|basic|token)(?:\s+|$)/i;
/**
 * Values of settings with a suspicious name that are not credentials: a switch, a number, a path,
 * an address.
 */
const harmlessValue =
  /^(?:true|false|yes|no|on|off|none|null|\d{1,6}|(?:[A-Za-z]:)?[\\/.~][^\s]*|https?:\/\/[^@\s]*)$/i;

/**
 * True if the name or the format of the value suggests a credential. A value that only refers to
 * variables contains none.
 */
export function looksLikeSecret(name: string, value: string): boolean {
  return isSecretName(name, value) || (withoutReferences(value) !== '' && secretValue.test(value));
}

/** True if the name alone suggests it: then the whole value is the credential. */
export function isSecretName(name: string, value: string): boolean {
  const literal = withoutReferences(value);
  return (
    literal !== '' &&
    (surelySecretName.test(name) || (secretName.test(name) && !harmlessValue.test(literal)))
  );
}

const withoutReferences = (value: string): string =>
  value.replace(reference, '').replace(authScheme, '').trim();

/** Whether a command-line option such as `--api-key`, or a query parameter, takes a credential. */
export function isSecretOption(name: string): boolean {
  return surelySecretName.test(name.replace(/^-+/, ''));
}

/** Every part of a text that has the format of a credential. */
export function secretParts(text: string): string[] {
  return [...text.matchAll(new RegExp(knownFormats, 'g'))]
    .map(([part]) => part)
    .filter((part) => part.replace(reference, '') !== '');
}

/**
 * The credential in a value, without a scheme such as `Bearer`; null if the value contains
 * variables.
 */
export function credentialOf(value: string): string | null {
  const literal = value.replace(authScheme, '').trim();
  return literal === '' || /\$\{/.test(literal) ? null : literal;
}
