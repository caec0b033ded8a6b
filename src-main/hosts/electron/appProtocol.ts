import { protocol } from 'electron';
import { pageHeaders, readRendererFile } from '../rendererFiles.ts';
import { appScheme, appUrl } from './origin.ts';

/**
 * Called before the app is ready. `standard` gives the pages an origin, `secure` a secure context;
 * nothing bypasses the content policy.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built renderer, and nothing else, under the app's own address. */
export function serveApp(rendererFolder: string): void {
  protocol.handle(appScheme, (request) => answerPage(request, rendererFolder));
}

export async function answerPage(
  request: { method: string; url: string },
  rendererFolder: string,
): Promise<Response> {
  if (request.method !== 'GET') return refuse(405);
  // Cuts the path from the text instead of parsing it, because a parser would normalize what has to
  // be checked.
  const [address = ''] = request.url.split(/[?#]/, 1);
  if (!address.startsWith(appUrl)) return refuse(400);
  const file = await readRendererFile(rendererFolder, address.slice(appUrl.length - 1));
  if (file.status !== 200) return refuse(file.status);
  return new Response(new Uint8Array(file.body), {
    status: 200,
    headers: { ...pageHeaders, ...file.headers },
  });
}

function refuse(status: 400 | 404 | 405): Response {
  return new Response(null, { status, headers: pageHeaders });
}
