import { orElse } from '../../../src-shared/domain/orElse.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

/** The parts of an HTTP answer in which a server says why it refused a request. */
export interface HttpAnswer {
  body: string;
  contentType: string;
  /** The header WWW-Authenticate; empty if there is none. */
  challenge: string;
}

/**
 * The server's own reason of an answer that isn't an MCP message; null if it gives none. Read are
 * errors of JSON-RPC, OAuth (RFC 6749 §5.2), bearer challenges (RFC 6750 §3), problem details (RFC
 * 9457), the common members of JSON errors, the title of a page, and plain text.
 */
export function saidByServer({ body, contentType, challenge }: HttpAnswer): string | null {
  const { error, error_description: description } = challengeOf(challenge);
  const parts = [error, description, reasonOf(body, contentType)].filter(
    (part) => part !== undefined && part !== null && part !== '',
  );
  const distinct = parts.filter(
    (part, at) => !parts.some((other, index) => index !== at && includes(other, part, index < at)),
  );
  return distinct.length === 0 ? null : distinct.join(': ');
}

/** Whether a text says all that another says; of two equal ones, the first. */
const includes = (
  text: string | null | undefined,
  part: string | null | undefined,
  isFirst: boolean,
) => (text === part ? isFirst : (text ?? '').includes(part ?? ''));

/** The parameters of a challenge, such as `Bearer error="invalid_token", error_description="…"`. */
export function challengeOf(header: string): Record<string, string> {
  const pairs = header.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '',
    ]),
  );
}

/** The error of a JSON-RPC message; null if the text is none. */
export function rpcErrorOf(
  body: string,
): { id: JsonValue | undefined; code: number | null; message: string } | null {
  const value = jsonOf(body);
  const error = isJsonObject(value) ? value['error'] : null;
  if (!isJsonObject(value) || !isJsonObject(error) || !('jsonrpc' in value)) return null;
  const { code, message } = error;
  return {
    id: value['id'],
    code: typeof code === 'number' ? code : null,
    message: typeof message === 'string' ? message : JSON.stringify(error),
  };
}

function jsonOf(text: string): JsonValue | undefined {
  return orElse(() => parseJson(text.replace(/^\uFEFF/, '')) as JsonValue, undefined);
}

function reasonOf(body: string, contentType: string): string | null {
  const rpc = rpcErrorOf(body);
  if (rpc !== null) return rpc.code === null ? rpc.message : `${rpc.message} (error ${rpc.code})`;
  const value = jsonOf(body);
  if (isJsonObject(value) || Array.isArray(value)) return reasonIn(value) ?? JSON.stringify(value);
  if (typeof value === 'string') return value;
  const isPage = /html/i.test(contentType) || /^\s*<(?:!doctype|html|head|body|h1)\b/i.test(body);
  const text = isPage ? pageText(body) : eventText(body);
  return text.replaceAll(/\s+/g, ' ').trim() || null;
}

/** The members in which JSON errors say their reason, the most telling first. */
const reasonMembers = ['error_description', 'detail', 'message', 'msg', 'reason', 'title', 'error'];

function reasonIn(value: JsonValue, depth = 0): string | null {
  if (typeof value === 'string') return value.trim() || null;
  if (depth > 4) return null;
  if (Array.isArray(value)) {
    const each = value.slice(0, 5).flatMap((item) => reasonIn(item, depth + 1) ?? []);
    return each.length === 0 ? null : each.join('; ');
  }
  if (!isJsonObject(value)) return null;
  const members: JsonObject = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]),
  );
  const found = [...reasonMembers, 'errors', 'fault'].flatMap(
    (name) => reasonIn(members[name] ?? null, depth + 1) ?? [],
  );
  const [first] = found;
  if (first === undefined) return null;
  // `error` is often the code of what the description says, and the title what `detail` explains.
  const kind = ['error', 'title'].map((name) => members[name]).find((at) => typeof at === 'string');
  return typeof kind === 'string' && !first.includes(kind) ? `${kind}: ${first}` : first;
}

function pageText(html: string): string {
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1];
  const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(html)?.[1];
  const text = [title, heading, html].find((part) => part !== undefined && plain(part) !== '');
  return plain(text ?? '');
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

const plain = (html: string): string =>
  html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ')
    .replaceAll(/&(?:#(\d{1,6})|(\w+));/g, (whole, code?: string, name?: string) =>
      code === undefined
        ? (entities[name ?? ''] ?? whole)
        : String.fromCodePoint(Number(code) % 0x110000),
    )
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The data of a text that was sent as an event; any other text as it is. */
const eventText = (body: string): string => {
  const data = [...body.matchAll(/^data:(.*)$/gm)].map(([, line = '']) => line.trim());
  if (data.length === 0) return body;
  return reasonOf(data.join('\n'), '') ?? '';
};
