const { GITHUB_API_URL, GITHUB_GRAPHQL_URL, GITHUB_REPOSITORY, TOKEN } = process.env;

/** One request to GitHub's API about this repository. Throws with GitHub's message. */
export const request = (method, path, body) =>
  send(method, `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, path, body);

/** The data of a query. Throws with GitHub's message. */
export async function graphql(query) {
  const { data, errors } = await send('POST', GITHUB_GRAPHQL_URL, 'graphql', { query });
  if (!data) throw new Error(`GitHub answers graphql: ${JSON.stringify(errors).slice(0, 300)}`);
  return data;
}

async function send(method, url, name, body) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${TOKEN}`,
      'x-github-api-version': '2022-11-28',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(
      `GitHub answers ${response.status} to ${method} ${name}: ${text.slice(0, 300)}`,
    );
  return JSON.parse(text);
}

/** Says what went wrong as a warning: neither a baseline nor a comment decides the check. */
export function warn(error) {
  const message = error instanceof Error ? error.message : String(error);
  console.log(`::warning title=Touchstone::${message.replace(/\s+/g, ' ')}`);
}
