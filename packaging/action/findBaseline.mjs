// Finds the run of the default branch that last uploaded the baseline, for the step that downloads it.
import { appendFileSync } from 'node:fs';
import { request, warn } from './githubApi.mjs';

const { ARTIFACT, DEFAULT_BRANCH, GITHUB_OUTPUT } = process.env;

try {
  const query = new URLSearchParams({ name: ARTIFACT, per_page: '100' });
  const { artifacts } = await request('GET', `/actions/artifacts?${query}`);
  // The newest comes first. One from another branch, such as of a fork, is not a baseline.
  const found = artifacts.find(
    ({ expired, workflow_run: run }) =>
      !expired &&
      run?.head_branch === DEFAULT_BRANCH &&
      run.head_repository_id === run.repository_id,
  );
  if (found) appendFileSync(GITHUB_OUTPUT, `run-id=${found.workflow_run.id}\n`);
  else
    console.log(
      `::notice title=Touchstone::There is no artifact ${ARTIFACT} of ${DEFAULT_BRANCH} yet. ` +
        'Only thresholds decide.',
    );
} catch (error) {
  warn(error);
}
