import type { IncomingMessage, ServerResponse } from 'node:http';

/** The access token that is valid now; older ones are refused. */
let issued = 0;
const tokenNow = (): string => `access-token-${issued}-abcdef`;

/**
 * An authorization server next to the MCP server, for the modes `oauth*`: `oauth` issues tokens for
 * an hour, `oauth-short` for one second, `oauth-script` names a sign-in page that is a script,
 * `oauth-inner` a token address in a private network of a cloud. Returns true if it answered.
 */
export function answerOAuth(
  mode: string,
  request: IncomingMessage,
  response: ServerResponse,
  readBody: (request: IncomingMessage) => Promise<string>,
): boolean {
  if (!mode.startsWith('oauth')) return false;
  const origin = `http://${request.headers.host ?? ''}`;
  const url = new URL(request.url ?? '/', origin);
  const json = (status: number, value: unknown): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(value));
  if (url.pathname.startsWith('/.well-known/oauth-protected-resource')) {
    json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    return true;
  }
  if (
    url.pathname.startsWith('/.well-known/oauth-authorization-server') ||
    url.pathname.startsWith('/.well-known/openid-configuration')
  ) {
    json(200, {
      issuer: origin,
      authorization_endpoint:
        mode === 'oauth-script' ? 'javascript:alert(1)' : `${origin}/authorize`,
      token_endpoint: mode === 'oauth-inner' ? 'https://169.254.169.254/token' : `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    return true;
  }
  if (url.pathname === '/register') {
    void readBody(request).then((body) =>
      json(201, { ...(JSON.parse(body) as object), client_id: 'client-1' }),
    );
    return true;
  }
  if (url.pathname === '/authorize') {
    const back = new URL(url.searchParams.get('redirect_uri') ?? origin);
    back.searchParams.set('code', 'code-1');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    response.writeHead(302, { location: back.href }).end();
    return true;
  }
  if (url.pathname === '/token') {
    void readBody(request).then((body) => {
      const given = new URLSearchParams(body);
      const good =
        given.get('grant_type') === 'refresh_token'
          ? given.get('refresh_token') === 'refresh-token-1'
          : given.get('code') === 'code-1' && given.has('code_verifier');
      if (!good) return json(400, { error: 'invalid_grant' });
      issued += 1;
      json(200, {
        access_token: tokenNow(),
        token_type: 'Bearer',
        expires_in: mode === 'oauth-short' ? 1 : 3600,
        refresh_token: 'refresh-token-1',
      });
    });
    return true;
  }
  if (request.headers.authorization === `Bearer ${tokenNow()}`) return false;
  response
    .writeHead(401, {
      'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    })
    .end();
  return true;
}
