// Finds the run of the default branch that last uploaded the baseline, for the step that downloads it.
import { appendFileSync } from 'node:fs';
import { request, warn } from './githubApi.mjs';

const { ARTIFACT, DEFAULT_BRANCH, GITHUB_OUTPUT } = process.env;
const perPage = 100;
const maxPages = 100;

/** One from another branch, such as of a fork, is not a baseline. */
const isBaseline = ({ expired, workflow_run: run }) =>
  !expired && run?.head_branch === DEFAULT_BRANCH && run.head_repository_id === run.repository_id;

/** The newest one, which GitHub lists first; a page ends with the hundredth artifact of the name. */
async function findBaseline() {
  for (let page = 1; page <= maxPages; page += 1) {
    const query = new URLSearchParams({ name: ARTIFACT, per_page: perPage, page });
    const { artifacts } = await request('GET', `/actions/artifacts?${query}`);
    const [found] = artifacts.filter(isBaseline).sort((a, b) => (b.id ?? 0) - (a.id ?? 0));
    if (found || artifacts.length < perPage) return found;
  }
  throw new Error(
    `None of the ${maxPages * perPage} newest artifacts ${ARTIFACT} is of ${DEFAULT_BRANCH}.`,
  );
}

try {
  const found = await findBaseline();
  if (found) appendFileSync(GITHUB_OUTPUT, `run-id=${found.workflow_run.id}\n`);
  else
    console.log(
      `::notice title=Touchstone::There is no artifact ${ARTIFACT} of ${DEFAULT_BRANCH} yet. ` +
        'Only thresholds decide.',
    );
} catch (error) {
  warn(error);
}
