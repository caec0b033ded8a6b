// Posts the report as a comment of the pull request, or updates the one that an earlier run posted.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { graphql, request, warn } from './githubApi.mjs';

const { GITHUB_RUN_ID, GITHUB_SERVER_URL, GITHUB_REPOSITORY, LOG, NAME, NUMBER, REPORT } =
  process.env;
const { OTHER_TOKEN } = process.env;
/** GitHub takes 65,536 characters. */
const maxLength = 64_000;
const perPage = 100;
const marker = `<!-- touchstone: ${NAME} -->`;

/** The report, or those of several suites: `report-mail.md`. */
function reports() {
  if (existsSync(REPORT)) return [readFileSync(REPORT, 'utf8')];
  const folder = dirname(REPORT);
  const stem = basename(REPORT, '.md');
  return (existsSync(folder) ? readdirSync(folder).sort() : [])
    .filter((file) => file.startsWith(`${stem}-`) && file.endsWith('.md'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** What the command wrote to standard error, where it could write no report. */
function logAsReport() {
  const log = existsSync(LOG) ? readFileSync(LOG, 'utf8').trim().slice(-3000) : '';
  return `# No verdict\n\n\`\`\`text\n${log.replaceAll('```', "'''")}\n\`\`\`\n`;
}

/**
 * As many whole sections as fit, the first ones of each report before later ones: the verdict and the
 * broken cases come first. The report is short already; only those of several suites together can be
 * longer, and then the rest is named.
 */
function fit(texts, room) {
  const sections = texts.flatMap((text) =>
    text.split(/\n(?=##? )/).map((section, at) => ({ section, at })),
  );
  let left = room - 1000;
  const kept = new Set();
  for (const each of sections.toSorted((a, b) => a.at - b.at)) {
    if (each.section.length >= left) continue;
    left -= each.section.length + 1;
    kept.add(each);
  }
  const named = sections
    .filter((each) => !kept.has(each))
    .map(({ section }) => /^#+ (.{0,80})/.exec(section)?.[1] ?? 'the log');
  const text = sections.map((each) => (kept.has(each) ? `${each.section}\n` : '')).join('');
  if (named.length === 0) return text;
  const more = named.length > 5 ? ` and ${named.length - 5} more` : '';
  return `${text}\nNot shown here: ${named.slice(0, 5).join(', ')}${more}. They are among the reports of the run.\n`;
}

/**
 * Who writes with this token. The token of a job writes as GitHub's own bot; only GraphQL says so of
 * the token of an app or a person.
 */
async function author() {
  if (OTHER_TOKEN !== 'true') return 'github-actions[bot]';
  return (await graphql('query { viewer { login } }')).viewer.login;
}

/** The comment of an earlier run. One by somebody else is never changed, whatever it begins with. */
async function findComment() {
  const login = await author();
  for (let page = 1; ; page += 1) {
    const comments = await request(
      'GET',
      `/issues/${NUMBER}/comments?per_page=${perPage}&page=${page}`,
    );
    const own = comments.find(
      ({ body, user }) => user?.login === login && body?.startsWith(marker),
    );
    if (own || comments.length < perPage) return own;
  }
}

try {
  const run = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  const end = `\n[All reports of this run](${run})\n`;
  const found = reports();
  const text = fit(
    found.length > 0 ? found : [logAsReport()],
    maxLength - marker.length - end.length,
  );
  const body = `${marker}\n${text}${end}`;
  const own = await findComment();
  if (own) await request('PATCH', `/issues/comments/${own.id}`, { body });
  else await request('POST', `/issues/${NUMBER}/comments`, { body });
} catch (error) {
  warn(error);
}
