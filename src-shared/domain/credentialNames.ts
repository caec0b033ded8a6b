/**
 * What the name of a value says about it: `secret` means that the whole value is a credential,
 * `maybe` that it is one unless it is a switch, a number, a path or the name of a variable, `weak`
 * that it is one if it is a word with letters and digits.
 */
export type NameVerdict = 'secret' | 'maybe' | 'weak' | 'open';

/** Last words of names whose values are credentials: `exaApiKey`, `DB_PASS`, `GITHUB_PAT`. */
const secretWords = new Set(
  (
    'key token tok assertion secret password passwd passphrase passcode pass pwd pw pat credential cred creds ' +
    'pepper jsessionid phpsessid sessdata authorization cookie bearer jwt signature sig sas dsn otp pin salt hmac ak sk mnemonic apikey apitoken ' +
    'authkey authtoken accesskey accesstoken secretkey privatekey masterkey accountkey appkey ' +
    'signingkey encryptionkey sessionkey sharedkey licensekey'
  ).split(' '),
);
/** Names of several words whose last word alone says less: `AWS_ACCESS_KEY_ID`, `X-Session-Id`. */
const secretPhrase =
  /(?:^| )(?:(?:access|private|secret) key id|secret id|session id|(?:seed|recovery|secret) phrase|connection string|session string|conn str|connectionstring|sessionid|(?:api|auth|password|pass|pwd|secret|token|credential) hash|(?:access|verification|auth|authorization|security|pairing|otp|backup|recovery|activation) codes?)$/;
/** Keys that are no credentials: of a table, a cache, a project, the keyboard. */
const harmlessKey =
  /(?:^| )(?:sort|primary|foreign|partition|cache|hot|shortcut|unique|row|column|object|field|group|issue|project|space|file|feature|flag|map|lookup|translation) keys?$/;
/** The same, as the end of a word that is written without separators: `mybottoken`. */
const secretEnding =
  /(?:token|secret|passw(?:or)?d|passphrase|(?<!ol)dpwd|[a-ce-z]pwd|creds|credentials|(?<!mon|tur|don|hot|whis|joc|hoc|pub|public|primary|foreign|cache|sort)key|(?<!com|by|encom|tres|over|sur|under)pass)$/;
/** Names whose values are credentials if they are made of letters and digits. */
const weakWords = new Set('sid uat license licence serial iv nonce'.split(' '));
/** Words that make a name suspicious wherever they are, unless a describing word ends it. */
const suspiciousWords = new Set(
  (
    'key keys token tokens secret secrets password passwords pass pwd credential credentials ' +
    'cred creds auth authentication oauth cookie cookies bearer private session signature dsn pat webhook csrf xsrf'
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
    'board id ids domain realm source flow site command cmd arn address engine mechanism sock socket column table row'
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
  if (harmlessKey.test(words.join(' '))) return 'open';
  if (secretWords.has(last) || secretEnding.test(last)) return 'secret';
  if (weakWords.has(last)) return 'weak';
  if (describingWords.has(last)) return 'open';
  return words.some((word) => suspiciousWords.has(word)) || last.endsWith('auth')
    ? 'maybe'
    : 'open';
}

/** Whether a name says something about a credential: its type, its place, its user. */
export const isDescribing = (name: string): boolean =>
  describingWords.has(wordsOf(name).at(-1) ?? '');

/** Last words of names whose values tell one thing from others and open none of them. */
const identifyingWords = new Set(
  (
    'id ids uuid guid uid ref arn contract account tenant subscription workspace project org ' +
    'organization team channel group bucket pool folder spreadsheet sheet database vpc subnet instance ' +
    'cluster zone release build version commit sha rev revision digest checksum hash integrity etag ' +
    'fingerprint traceparent request trace region'
  ).split(' '),
);

const identifyingPhrase = new RegExp(`${harmlessKey.source}|(?:contract|wallet) address$`);

/**
 * Whether a name says that its value identifies something: `AZURE_TENANT_ID`, `workspace`,
 * `--subscription`. What looks random there is no credential.
 */
export const isIdentifyingName = (name: string): boolean =>
  judgeName(name) === 'open' &&
  (identifyingWords.has(wordsOf(name).at(-1) ?? '') ||
    identifyingPhrase.test(wordsOf(name).join(' ')));

/** A word with letters and digits that is no version, date, size or time. */
export const isTokenLike = (text: string): boolean =>
  /^[\w!#$%^&*+~-]{8,}$/.test(text) &&
  /[A-Za-z]/.test(text) &&
  /\d/.test(text) &&
  !/^v?\d+(?:[._-]\w+)*$|^\d+[a-z]{1,3}$|^\d+x\d+$/i.test(text);

/** Values that say where a credential is, or that none is needed, whatever their name. */
const elsewhere =
  /^(?:none|null|empty|unused|dummy|not[-_ ](?:needed|required|used|set)|no[-_ ]key|ollama|lm-studio|(?:op|vault|keychain|ssm|awssm|gcpsm|keyring|bws|infisical|doppler|sops):\S+|arn:aws[\w-]*:\S+|(?:file|env):\S+|!secret \S+|(?:~|\.{1,2})?\/(?:[\w.@ -]+\/)*[\w@-]+(?:\.[\w@-]+)*\.(?:pem|key|json|p8|p12|pfx|crt|cer|txt|env|ya?ml|jks|ppk|toml)|(?:~|\.{1,2})\/[\w./@-]+|[A-Za-z]:\\[^\n]+|\/(?:home|Users|etc|run|var|opt|usr|root|tmp|mnt|secrets|private)\/[^\n]+)$/i;

/** Values that are no credentials although a name is suspicious. */
const harmless =
  /^(?:true|false|yes|no|on|off|none|null|auto|default|required|optional|enabled|disabled|(?:o?auth2?|basic|bearer|token|digest|jwt|iam|oidc|saml|sso|mtls|azcli|interactive|device|client|code|credentials|api|key|x)(?:[-_](?:auth|token|key|code|credentials|api))*|\d{1,6}|(?:[A-Za-z]:)?[\\/.~][^\s]*|https?:\/\/[^@\s]*|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/i;

/** The name of a header, which is what `API_KEY_HEADER` may say. */
const headerName = /^(?:authorization|(?:[a-z]+-)+[a-z]+)$/i;

const openLicense = /^(?:BSD|A?L?GPL|MPL|EPL|EUPL|CC|Apache)\b/i;
/** `PWD`, which shells set. */
const isWorkingFolder = (name: string, value: string): boolean =>
  /^(?:OLD)?PWD$/.test(name) && /^(?:\/|[A-Za-z]:[\\/])/.test(value);

/** Whether a whole value is a credential because of its name. */
export function isSecretByName(name: string, value: string): boolean {
  const verdict = judgeName(name);
  if (verdict === 'open' || elsewhere.test(value.trim())) return false;
  if (verdict === 'weak') return isTokenLike(value.trim()) && !openLicense.test(value.trim());
  if (verdict === 'secret') return !isWorkingFolder(name, value.trim());
  if (/^headers?$/.test(wordsOf(name).at(-1) ?? '') && headerName.test(value.trim())) return false;
  return !harmless.test(value.trim());
}
