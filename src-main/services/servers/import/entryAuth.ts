import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { plainName, type EntrySettings } from './entrySettings.ts';

/** Names of settings that hold the token of an Authorization header. */
const tokens = (
  'bearertoken authorizationtoken accesstoken authtoken bearer token apitoken ' +
  'personalaccesstoken pat jwt'
).split(' ');
const apiKeys = ['apikey', 'apikeyvalue'];
/** Names of settings that name an environment variable with the token. */
const tokenVariables = [...tokens, ...apiKeys].flatMap((name) =>
  ['envvar', 'env', 'envvarname', 'variable'].map((end) => `${name}${end}`),
);

const hasScheme = (text: string): boolean => /^[A-Za-z][\w-]*\s+\S/.test(text.trim());
const isReference = (text: string): boolean => /[$%]\{?\w|\{\{|os\.environ\//.test(text);
const bearer = (text: string): string => (hasScheme(text) ? text : `Bearer ${text}`);

/**
 * The headers with which a server is signed in to, from the settings other than headers in which
 * clients keep them. A setting whose meaning isn't certain is left in `settings`.
 */
export function readSignIn(settings: EntrySettings, warnings: string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  const add = (name: string, value: string): void => {
    headers[name] = value;
  };
  readByType(settings, add, warnings);
  readNamedToken(settings, add);
  const whole = settings.takeText('authorization', 'authorizationheader');
  if (whole !== null) add('Authorization', bearer(whole.value));
  const token = settings.takeText(...tokens);
  if (token !== null) add('Authorization', bearer(token.value));
  readApiKey(settings, add, warnings);
  readAuthText(settings, add);
  readBasic(settings, add, warnings);
  readObjects(settings, add, warnings);
  readCookies(settings, add);
  return headers;
}

/** A variable with the token, and how it is sent (Mistral Vibe). */
function readNamedToken(settings: EntrySettings, add: AddHeader): void {
  const named = settings.takeText(...tokenVariables);
  if (named === null) return;
  const header = settings.takeText('apikeyheader')?.value ?? 'Authorization';
  const format =
    settings.takeText('apikeyformat')?.value ??
    (header === 'Authorization' ? 'Bearer {token}' : '{token}');
  add(
    header,
    format.replace('{token}', () => `\${${named.value}}`),
  );
}

/** Objects that hold nothing but a way to sign in, and within `auth`: `{basic: {…}}`. */
function readObjects(settings: EntrySettings, add: AddHeader, warnings: string[]): void {
  for (const name of ['oauth', 'oauth2', 'credentials', 'security', 'basicauth', 'basic']) {
    const found = settings.peek(name);
    if (found === null || !isJsonObject(found.value)) continue;
    const own = Object.entries(found.value).map(([key, value]) => ({
      path: [...found.path, key],
      name: plainName(key),
      value,
    }));
    const text = (...names: string[]) =>
      own.find(
        (each): each is (typeof own)[number] & { value: string } =>
          names.includes(each.name) && typeof each.value === 'string' && each.value !== '',
      );
    const token = text(...tokens, ...(name === 'oauth' ? [] : apiKeys));
    const user = text('username', 'user');
    const password = text('password', 'pass');
    if (token !== undefined) {
      settings.drop(token.path);
      add('Authorization', bearer(token.value));
    } else if (
      user !== undefined &&
      password !== undefined &&
      addBasic(`${user.value}:${password.value}`, add, warnings)
    )
      for (const { path } of [user, password]) settings.drop(path);
  }
}

function readCookies(settings: EntrySettings, add: AddHeader): void {
  const found = settings.peek('cookie', 'cookies');
  if (found === null) return;
  const all = isJsonObject(found.value) ? Object.entries(found.value) : [];
  const pairs = all.flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${value}`] : [],
  );
  const isMap = pairs.length > 0 && pairs.length === all.length;
  const text = isMap ? pairs.join('; ') : found.value;
  if (typeof text !== 'string' || text === '') return;
  settings.drop(found.path);
  add('Cookie', text);
}

type AddHeader = (name: string, value: string) => void;

/**
 * `auth_type` with a value, as LiteLLM documents it (https://docs.litellm.ai/docs/mcp_authentication),
 * and objects such as `auth: {type, token}`.
 */
function readByType(settings: EntrySettings, add: AddHeader, warnings: string[]): void {
  const type =
    settings.peek('authtype', 'authenticationtype', 'authscheme') ?? authObjectType(settings);
  if (type === null || typeof type.value !== 'string') return;
  const kind = type.value.toLowerCase().replaceAll(/[-_\s]/g, '');
  if (kind === 'none' || kind === 'noauth') {
    settings.drop(type.path);
    return;
  }
  const write: Record<string, (value: string) => void> = {
    bearer: (value) => add('Authorization', bearer(value)),
    bearertoken: (value) => add('Authorization', bearer(value)),
    authorization: (value) => add('Authorization', value),
    token: (value) => add('Authorization', hasScheme(value) ? value : `token ${value}`),
    apikey: (value) => add(headerName(settings) ?? 'X-API-Key', value),
    header: (value) => add(headerName(settings) ?? 'Authorization', value),
    custom: (value) => add(headerName(settings) ?? 'Authorization', value),
    basic: (value) => addBasic(value, add, warnings),
  };
  const known = write[kind];
  if (known === undefined) return;
  const value = settings.takeText(
    'authvalue',
    'authenticationtoken',
    'authcredentials',
    'credentials',
    ...tokens,
    ...apiKeys,
    'key',
    'value',
    'secret',
  );
  if (value === null && kind !== 'basic') return;
  settings.drop(type.path);
  if (value !== null) known(value.value);
}

/** The `type` of an object `auth`, not that of the entry. */
function authObjectType(settings: EntrySettings) {
  const auth = settings.peek('auth', 'authentication');
  if (auth === null || !isJsonObject(auth.value)) return null;
  const type: JsonValue | undefined = auth.value['type'] ?? auth.value['scheme'];
  const key = auth.value['type'] === undefined ? 'scheme' : 'type';
  return type === undefined ? null : { key, path: [...auth.path, key], value: type };
}

const headerName = (settings: EntrySettings): string | null =>
  settings.takeText('headername', 'authheader', 'authheadername', 'customheader', 'header')
    ?.value ?? null;

/** An API key alone is sent as Continue sends it, or as its object says (LibreChat). */
function readApiKey(settings: EntrySettings, add: AddHeader, warnings: string[]): void {
  const found = settings.peek(...apiKeys);
  if (found === null) return;
  if (typeof found.value === 'string' && found.value !== '') {
    settings.drop(found.path);
    const header = headerName(settings);
    if (header === null)
      warnings.push(
        `${found.key} is sent as the header Authorization: Bearer. Change it if the server expects another.`,
      );
    add(header ?? 'Authorization', header === null ? bearer(found.value) : found.value);
    return;
  }
  if (!isJsonObject(found.value)) return;
  const { authorization_type: kind, custom_header: header, source } = found.value;
  // LibreChat asks each person for theirs.
  const key = source === 'user' ? '{{apiKey}}' : found.value['key'];
  if (typeof key !== 'string' || key === '') return;
  for (const name of ['key', 'authorization_type', 'custom_header', 'source'])
    settings.drop([...found.path, name]);
  if (kind === 'custom' && typeof header === 'string') add(header, key);
  else if (kind === 'basic') add('Authorization', hasScheme(key) ? key : `Basic ${key}`);
  else add('Authorization', bearer(key));
}

/** Words that name a way to sign in and hold no token: those of FastMCP, fast-agent and n8n. */
const authWords =
  /^(?:(?:mcp)?oauth2?(?:api)?|none|(?:bearer|header|custom|basic|multipleheaders)auth)$/i;

/** FastMCP: `auth` is a token, or `oauth` for a sign-in in the browser. */
function readAuthText(settings: EntrySettings, add: AddHeader): void {
  const auth = settings.peek('auth', 'authentication');
  if (typeof auth?.value !== 'string' || auth.value === '' || authWords.test(auth.value)) return;
  settings.drop(auth.path);
  add('Authorization', bearer(auth.value));
}

function readBasic(settings: EntrySettings, add: AddHeader, warnings: string[]): void {
  const user = settings.peek('username', 'user');
  const password = settings.peek('password');
  if (typeof user?.value !== 'string' || typeof password?.value !== 'string') return;
  if (!addBasic(`${user.value}:${password.value}`, add, warnings)) return;
  settings.drop(user.path);
  settings.drop(password.path);
}

/** Text of `Authorization: Basic`. A reference can't be encoded, because its value isn't known yet. */
function addBasic(value: string, add: AddHeader, warnings: string[]): boolean {
  if (hasScheme(value)) add('Authorization', value);
  else if (!value.includes(':')) add('Authorization', `Basic ${value}`);
  else if (!isReference(value))
    add('Authorization', `Basic ${Buffer.from(value).toString('base64')}`);
  else {
    warnings.push(
      'Its user name and password are variables, which Basic encodes together. Enter the header Authorization yourself.',
    );
    return false;
  }
  return true;
}
