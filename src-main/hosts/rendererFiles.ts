import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/**
 * A page may load from and connect to its own origin only. Inline styles are the exception: the
 * component library writes them at run time.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Where a build puts the files whose names hold a hash of what is in them. */
const hashedFolder = '/assets/';

/**
 * A window keeps a file that never changes under its name, and the browser its compiled code with
 * it: a reload and the next window read neither again.
 */
const keptForever = { 'cache-control': 'private, max-age=31536000, immutable' };

/** A file with its own headers beside those of the page, or why there is none. */
export type RendererFile =
  { status: 200; headers: Record<string, string>; body: Buffer } | { status: 400 | 404 };

/**
 * Reads a file of the built renderer for an encoded URL path. The path is decoded first and checked
 * afterwards, so that no encoding of a dot or slash gets through. Links out of the folder count as
 * missing.
 */
export async function readRendererFile(folder: string, encodedPath: string): Promise<RendererFile> {
  const path = decode(encodedPath);
  if (path === null) return { status: 400 };
  const name = path === '/' ? '/index.html' : path;
  const type = types[extname(name).toLowerCase()];
  if (type === undefined) return { status: 404 };
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, name));
    if (!file.startsWith(root + sep) || !(await stat(file)).isFile()) return { status: 404 };
    const kept = name.startsWith(hashedFolder) ? keptForever : {};
    return { status: 200, headers: { 'content-type': type, ...kept }, body: await readFile(file) };
  } catch {
    return { status: 404 };
  }
}

/**
 * Decodes a path. Null for control characters, backslashes, empty or dotted segments and broken
 * encoding, which no file of the renderer has.
 */
function decode(encodedPath: string): string | null {
  let path: string;
  try {
    path = decodeURIComponent(encodedPath);
  } catch {
    return null;
  }
  if (!path.startsWith('/') || /[\u0000-\u001f\u007f\\]/.test(path)) return null;
  const segments = path.slice(1).split('/');
  if (
    segments.some(
      (segment, index) =>
        segment === '.' || segment === '..' || (segment === '' && index < segments.length - 1),
    )
  )
    return null;
  return path;
}
