/**
 * What the name of a value says about it: `secret` means that the whole value is a credential,
 * `maybe` that it is one unless it is a switch, a number, a path or the name of a variable.
 */
export type NameVerdict = 'secret' | 'maybe' | 'open';

/** Last words of names whose values are credentials: `exaApiKey`, `DB_PASS`, `GITHUB_PAT`. */
const secretWords = new Set(
  (
    'key token secret password passwd passphrase passcode pass pwd pw pat credential cred creds ' +
    'authorization auth cookie bearer jwt signature sig sas dsn otp mnemonic apikey apitoken ' +
    'authkey authtoken accesskey accesstoken secretkey privatekey masterkey accountkey appkey ' +
    'signingkey encryptionkey sessionkey sharedkey licensekey'
  ).split(' '),
);
/** The same, as the end of a word that is written without separators: `mybottoken`. */
const secretEnding = /(?:token|secret|password|passwd|passphrase|apikey|accesskey|secretkey)$/;
/** Words that make a name suspicious wherever they are, unless a describing word ends it. */
const suspiciousWords = new Set(
  (
    'key keys token tokens secret secrets password passwords pass pwd credential credentials ' +
    'cred creds auth oauth cookie cookies bearer private session signature dsn pat webhook'
  ).split(' '),
);
/** Last words that say something about a credential: its name, its place, its form. */
const describingWords = new Set(
  (
    'env var variable name names file files path paths dir folder url uri host endpoint type ' +
    'types mode method header headers scheme algorithm alg length limit ttl expiry expires ' +
    'expiration timeout format prefix suffix field param parameter count size enabled disabled ' +
    'required optional store storage provider region version user username email issuer audience ' +
    'scope scopes server servers manager service backend rotation policy strategy callback port ' +
    'board id ids'
  ).split(' '),
);

/** The words of a name in any notation, in lower case and without numbers: `exaApiKey2` has three. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && word !== 'v');
}

/** What a name says about its value: an environment variable, a header, an option, a parameter. */
export function judgeName(name: string): NameVerdict {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  const twoLast = `${words.at(-2) ?? ''} ${last}`;
  if (twoLast === 'connection string' || twoLast === 'conn str' || last === 'connectionstring')
    return 'secret';
  if (twoLast === 'public key' || twoLast === 'publishable key') return 'maybe';
  if (secretWords.has(last) || secretEnding.test(last)) return 'secret';
  if (describingWords.has(last)) return 'open';
  return words.some((word) => suspiciousWords.has(word)) ? 'maybe' : 'open';
}

/** Values that are no credentials although a name is suspicious. */
const harmless =
  /^(?:true|false|yes|no|on|off|none|null|auto|default|required|optional|enabled|disabled|\d{1,6}|(?:[A-Za-z]:)?[\\/.~][^\s]*|https?:\/\/[^@\s]*|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/i;

/** Whether a whole value is a credential because of its name. */
export function isSecretByName(name: string, value: string): boolean {
  const verdict = judgeName(name);
  return verdict === 'secret' || (verdict === 'maybe' && !harmless.test(value.trim()));
}
