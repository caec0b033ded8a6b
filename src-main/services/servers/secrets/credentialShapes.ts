/**
 * Credentials that their form gives away. The prefixes are those that the services document, most of
 * them so that scanners find leaked keys:
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
const prefixed = [
  String.raw`sk-[\w-]{8,}`, // OpenAI, Anthropic, DeepSeek, LiteLLM
  String.raw`[srpw]k_(?:live|test)_\w{8,}|whsec_\w{8,}`, // Stripe
  String.raw`gh[pousr]_\w{8,}|github_pat_\w{8,}|gl[a-z]{2,8}-[\w-]{8,}`, // GitHub, GitLab
  String.raw`xox[abcdeoprs]-[\w-]{8,}|xapp-[\w-]{8,}`, // Slack
  String.raw`A(?:KIA|SIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{8,}|GOCSPX-[\w-]{8,}`, // AWS, Google
  String.raw`ntn_\w{8,}|secret_\w{16,}|lin_(?:api|oauth)_\w{8,}|figd_[\w-]{8,}|PMAK-[\w-]{8,}`,
  String.raw`AT(?:ATT|CTT|BB)[\w=-]{16,}|pat-[a-z]{2}\d-[\w-]{8,}|pat\w{14}\.\w{16,}`, // Atlassian, …
  String.raw`tvly-[\w-]{8,}|fc-[\w-]{12,}|BSA[\w-]{20,}|pplx-[\w-]{8,}|jina_\w{8,}|exa_\w{8,}`,
  String.raw`hf_\w{8,}|gsk_\w{8,}|r8_\w{8,}|xai-[\w-]{8,}|nvapi-[\w-]{8,}|apify_api_\w{8,}`,
  String.raw`npm_\w{8,}|pypi-[\w-]{8,}|dop_v1_\w{8,}|shp(?:at|ss|ca|pa)_\w{8,}|dapi[0-9a-f]{16,}`,
  String.raw`sbp_\w{8,}|sb_secret_\w{8,}|glsa_\w{8,}|sntry[su]_[\w=-]{8,}|ph[cx]_\w{16,}|re_\w{16,}`,
  String.raw`tskey-[\w-]{8,}|dp\.(?:pt|st|ct)\.[\w.-]{8,}|CFPAT-[\w-]{8,}|ops_\w{16,}|rnd_\w{8,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}|(?:bot)?\d{8,10}:[\w-]{35}|SK[\da-f]{32}:\w{8,}|AGE-SECRET-KEY-\w{8,}`, // SendGrid, Telegram
  String.raw`pat_(?=\w*\d)\w{8,}|pscale_(?:tkn|pw|oauth)_[\w.-]{8,}|napi_\w{8,}|mdb_sa_sk_[\w-]{8,}`,
  String.raw`pk_\d{6,}_\w{8,}|EAAA\w{16,}|pa-(?=\w*\d)\w{16,}|e2b_\w{8,}|key-(?=\w*\d)[a-z\d]{16,}`,
  String.raw`HRKU-[\w-]{8,}|(?:nf[pcou]|vc[pkair]|cf[ukp]t)_(?=\w*\d)\w{8,}|CCI(?:PAT|PRJ)_\w{8,}`,
  String.raw`(?:bkua|bkaj|bkct|squ|sqa|sqp)_(?=\w*\d)\w{8,}|pcsk_\w{8,}|NR(?:AK|JS|II|AA|RA)-?\w{16,}|ctx7sk-[\w-]{8,}|lsv2_[ps][tk]_\w{8,}`,
  String.raw`fm[12]_[\w+/=]{8,}|hv[sbr]\.[\w-]{8,}|u-(?=\w*\d)\w{20,}|key_(?=\w*\d)\w{16,}`,
  String.raw`[a-z]{2,12}_(?:live|test|prod|sandbox|sk|pat|tok|token|secret)_(?=[A-Za-z]*\d)[A-Za-z\d]{16,}`,
  String.raw`(?=[A-Z\d-]*[A-Z])(?=[A-Z\d-]*\d)[A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){3,}(?![\w-])`, // serial numbers
  String.raw`eyJ[\w-]{8,}\.[\w.-]+|eyJ[\w+/=%-]{24,}`, // JSON Web Tokens, JSON in Base64
].join('|');
const knownForms = new RegExp(
  String.raw`(?<![\w-])(?:${prefixed})|-----BEGIN [\s\S]+?(?:-----END [A-Z ]+-----|$)`,
  'g',
);

/** A piece of text without white space, quotes and signs that separate values. */
const pieces = /[\w+/~.=-]{20,}/g;
/** What comes before a hash that identifies content: an image, a package, a commit. */
const contentHash = /(?:sha\d{1,3}[:-]|md5:|@|#|commit[=/ ]|rev=|integrity=)$/i;

/** Folders of a computer: their parts may be hashes, such as those of a package store. */
const localPath =
  /^(?:-{0,2}[\w-]+=)?(?:(?:~|\.{1,2})\/|\/(?:home|Users|usr|opt|var|nix|tmp|etc|private|Applications|Library|Volumes|mnt|media|root|srv|snap|app|workspaces?|data)\/)/;
const drive = /(?:^|[\s"'=])[A-Za-z]:\\/;

export interface Span {
  start: number;
  end: number;
}

/** Every part of a text that has the form of a credential, in order. */
export function secretShapes(text: string): Span[] {
  const known = knownShapes(text);
  return [...known, ...randomShapes(text)].sort((a, b) => a.start - b.start);
}

/** The same without what only looks random. */
export const knownShapes = (text: string): Span[] =>
  [...text.matchAll(knownForms)].map(({ index, 0: part }) => ({
    start: index,
    end: index + part.length,
  }));

/** The identifiers of AWS: `vpc-0a1b2c3d4e5f67890`. */
const resource =
  /^(?:vpce?|subnet|sg|ami|i|vol|eni|rtb|igw|snap|nat|acl|eipalloc|fs|lt)-[\da-f]{8,17}$/;

function randomShapes(text: string): Span[] {
  return [...text.matchAll(pieces)].flatMap(({ index, 0: piece }) => {
    const before = text.slice(Math.max(0, index - 12), index);
    const isFile = localPath.test(piece) || (before.endsWith('\\') && drive.test(text));
    const isOpen = isFile || contentHash.test(before) || resource.test(piece);
    return isOpen ? [] : randomParts(piece, index);
  });
}

/** Parts of a piece that look random. A path is judged step by step, Base64 as a whole. */
function randomParts(piece: string, offset: number): Span[] {
  const isPath = /^[./~]|\/\/|\.[a-z]{1,4}$/i.test(piece);
  if (!isPath && looksRandom(piece.replace(/^[\w-]+=(?=.)/, '')))
    return [
      {
        start: offset + (/^[\w-]+=(?=.)/.exec(piece)?.[0].length ?? 0),
        end: offset + piece.length,
      },
    ];
  return [...piece.matchAll(/[^/=]{20,}=*/g)].flatMap(({ index, 0: step }) =>
    looksRandom(step) ? [{ start: offset + index, end: offset + index + step.length }] : [],
  );
}

const minRandom = 20;

/**
 * Whether at least 20 characters look as if a program had drawn them: hexadecimal digits, or a run of
 * letters and digits whose kind (upper, lower, digit) changes often and whose characters hardly
 * repeat (Shannon entropy of 3.3 bits per character or more). Words, versions, dates, names of
 * packages and models don't.
 */
function looksRandom(text: string): boolean {
  const plain = text.replaceAll(/[^A-Za-z\d]/g, '');
  if (plain.length < minRandom) return false;
  const letters = plain.replaceAll(/\d/g, '').length;
  const digits = plain.length - letters;
  if (/^[\da-f-]+$/i.test(text) && letters >= 3 && digits >= 3) return true;
  const runs = text.split(/[^A-Za-z\d]+/);
  return runs.some(
    (run) => run.length >= 12 && changesOfKind(run) >= minChanges(run) && entropy(run) >= 3.3,
  );
}

/** Names in camel case change at each word; drawn letters without a digit change more often. */
const minChanges = (run: string): number => (/\d/.test(run) ? 3 : Math.ceil(run.length * 0.45));

function changesOfKind(run: string): number {
  return run.match(/[A-Z](?=[a-z\d])|[a-z](?=[A-Z\d])|\d(?=[A-Za-z])/g)?.length ?? 0;
}

/** Bits per character: −Σ p·log₂ p over the shares p of the characters. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const each of text) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  );
}
