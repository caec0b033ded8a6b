/** A part of a secret that must not be read. */
export interface SecretPart {
  text: string;
  /** True if only the whole text is secret, and pieces of it are not. */
  whole: boolean;
}

/**
 * What of a secret is secret. In an address, such as that of a database, scheme and host are not,
 * and in a JSON document, such as the state of a sign-in, only the values that are named as secrets
 * are: the rest stands in many other texts, which would be torn apart.
 */
export function partsOfSecret(secret: string): SecretPart[] {
  const named = secret.startsWith('{') ? secretsInJson(secret) : null;
  if (named !== null)
    return [{ text: secret, whole: true }, ...named.map((text) => ({ text, whole: false }))];
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(secret) ? URL.parse(secret) : null;
  if (address === null) return [{ text: secret, whole: false }];
  const { username, password, pathname, searchParams, hash } = address;
  const parts = [
    password,
    ...[username, ...pathname.split('/'), ...searchParams.values(), hash.slice(1)].filter(isRandom),
  ];
  return [
    { text: secret, whole: true },
    ...[...new Set(parts.flatMap((part) => [part, decoded(part)]))].map((text) => ({
      text,
      whole: false,
    })),
  ];
}

/** Names of users and databases are words; keys that stand in an address hold digits or are long. */
const isRandom = (part: string): boolean => /\d/.test(part) || part.length >= 20;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const secretName = /token|secret|verifier|passw|key|credential|assertion/i;

/** The values with the name of a secret in a JSON document; null if it is none. */
function secretsInJson(text: string): string[] | null {
  const found: string[] = [];
  try {
    JSON.parse(text, (name: string, value: unknown) => {
      if (typeof value === 'string' && secretName.test(name) && isRandom(value)) {
        if (!URL.canParse(value)) found.push(value);
      }
      return value;
    });
  } catch {
    return null;
  }
  return found;
}
