const { GITHUB_API_URL, GITHUB_REPOSITORY, TOKEN } = process.env;

/** One request to GitHub's API about this repository. Throws with GitHub's message. */
export async function request(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, {
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
      `GitHub answers ${response.status} to ${method} ${path}: ${text.slice(0, 300)}`,
    );
  return JSON.parse(text);
}

/** Says what went wrong as a warning: neither a baseline nor a comment decides the check. */
export function warn(error) {
  const message = error instanceof Error ? error.message : String(error);
  console.log(`::warning title=Touchstone::${message.replace(/\s+/g, ' ')}`);
}
