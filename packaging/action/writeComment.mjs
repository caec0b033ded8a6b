// Posts the report as a comment of the pull request, or updates the one that an earlier run posted.
import { existsSync, readFileSync } from 'node:fs';
import { request, warn } from './githubApi.mjs';

const { GITHUB_RUN_ID, GITHUB_SERVER_URL, GITHUB_REPOSITORY, LOG, NAME, NUMBER, REPORT } =
  process.env;
/** GitHub takes 65,536 characters. */
const maxLength = 60_000;
const perPage = 100;
const marker = `<!-- touchstone: ${NAME} -->`;

/** Whole lines of the text, with a note and a closed code block if lines are left out. */
function cut(text, room) {
  if (text.length <= room) return text;
  const note = '\n\n*The report is longer. It is among the artifacts of the run.*\n';
  const kept = text.slice(0, room - note.length - 5);
  const lines = kept.slice(0, Math.max(0, kept.lastIndexOf('\n')));
  const isOpen = (lines.match(/^```/gm) ?? []).length % 2 === 1;
  return `${lines}${isOpen ? '\n```' : ''}${note}`;
}

/** What the command wrote to standard error, where it could write no report. */
function logAsReport() {
  const log = existsSync(LOG) ? readFileSync(LOG, 'utf8').trim().slice(-3000) : '';
  return `# No verdict\n\n\`\`\`text\n${log.replaceAll('```', "'''")}\n\`\`\`\n`;
}

async function findComment() {
  for (let page = 1; ; page += 1) {
    const comments = await request(
      'GET',
      `/issues/${NUMBER}/comments?per_page=${perPage}&page=${page}`,
    );
    const own = comments.find(({ body }) => body?.startsWith(marker));
    if (own || comments.length < perPage) return own;
  }
}

try {
  const run = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  const end = `\n\n[All reports of this run](${run})\n`;
  const report = existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : logAsReport();
  const body = `${marker}\n${cut(report, maxLength - marker.length - end.length - 1)}${end}`;
  const own = await findComment();
  if (own) await request('PATCH', `/issues/comments/${own.id}`, { body });
  else await request('POST', `/issues/${NUMBER}/comments`, { body });
} catch (error) {
  warn(error);
}
