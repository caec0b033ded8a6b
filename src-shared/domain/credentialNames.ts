/**
 * What the name of a value says about it: `secret` means that the whole value is a credential,
 * `maybe` that it is one unless it is a switch, a number, a path or the name of a variable.
 */
export type NameVerdict = 'secret' | 'maybe' | 'open';

/** Last words of names whose values are credentials: `exaApiKey`, `DB_PASS`, `GITHUB_PAT`. */
const secretWords = new Set(
  (
    'key token assertion secret password passwd passphrase passcode pass pwd pw pat credential cred creds ' +
    'authorization cookie bearer jwt signature sig sas dsn otp pin salt hmac ak sk mnemonic apikey apitoken ' +
    'authkey authtoken accesskey accesstoken secretkey privatekey masterkey accountkey appkey ' +
    'signingkey encryptionkey sessionkey sharedkey licensekey'
  ).split(' '),
);
/** Names of several words whose last word alone says less: `AWS_ACCESS_KEY_ID`, `X-Session-Id`. */
const secretPhrase =
  /(?:^| )(?:(?:access|private|secret) key id|secret id|session id|(?:seed|recovery|secret) phrase|connection string|conn str|connectionstring|sessionid)$/;
/** The same, as the end of a word that is written without separators: `mybottoken`. */
const secretEnding =
  /(?:token|secret|password|passwd|passphrase|apikey|accesskey|secretkey|privkey|mykey|(?:db|user|sql|mail|smtp|root|admin)pass)$/;
/** Words that make a name suspicious wherever they are, unless a describing word ends it. */
const suspiciousWords = new Set(
  (
    'key keys token tokens secret secrets password passwords pass pwd credential credentials ' +
    'cred creds auth authentication oauth cookie cookies bearer private session signature dsn pat webhook'
  ).split(' '),
);
/** Last words that say something about a credential: its name, its place, its form. */
const describingWords = new Set(
  (
    'env var variable name names file files path paths dir folder url uri host endpoint type ' +
    'types mode method scheme algorithm alg length limit ttl expiry expires ' +
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
  if (secretPhrase.test(words.join(' '))) return 'secret';
  if (twoLast === 'public key' || twoLast === 'publishable key') return 'maybe';
  if (secretWords.has(last) || secretEnding.test(last)) return 'secret';
  if (describingWords.has(last)) return 'open';
  return words.some((word) => suspiciousWords.has(word)) ? 'maybe' : 'open';
}

/** Values that are no credentials although a name is suspicious. */
const harmless =
  /^(?:true|false|yes|no|on|off|none|null|auto|default|required|optional|enabled|disabled|(?:o?auth2?|basic|bearer|token|digest|jwt|iam|oidc|saml|sso|mtls|azcli|interactive|device|client|code|credentials|api|key|x)(?:[-_](?:auth|token|key|code|credentials|api))*|\d{1,6}|(?:[A-Za-z]:)?[\\/.~][^\s]*|https?:\/\/[^@\s]*|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/i;

/** The name of a header, which is what `API_KEY_HEADER` may say. */
const headerName = /^(?:authorization|(?:[a-z]+-)+[a-z]+)$/i;

/** Whether a whole value is a credential because of its name. */
export function isSecretByName(name: string, value: string): boolean {
  const verdict = judgeName(name);
  if (verdict !== 'maybe') return verdict === 'secret';
  if (/^headers?$/.test(wordsOf(name).at(-1) ?? '') && headerName.test(value.trim())) return false;
  return !harmless.test(value.trim());
}
