// Names this use of the action: artifacts, folders and the comment carry the name, so that uses in
// several workflows, jobs, legs of a matrix, or steps of one job each keep what is theirs.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { NAME, SUITE, CONFIG, MATRIX, JOB, WORKFLOW_REF, RUNNER_TEMP, GITHUB_OUTPUT } = process.env;
const { GITHUB_RUN_ID = '', GITHUB_RUN_ATTEMPT = '' } = process.env;
const maxLength = 80;

/** Every plain value of a matrix, nested ones included. */
function valuesOf(value) {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
  return value === null || value === undefined ? [] : [String(value)];
}

/** What artifacts, file systems and HTML comments take. */
const clean = (text) => text.replaceAll(/[^\p{L}\p{N}._]+/gu, '-').replaceAll(/^[.-]+|[.-]+$/g, '');

const stem = (path) => basename(path).replace(/(\.suite)?\.(ya?ml|json)$/i, '');
const workflow = stem((WORKFLOW_REF ?? '').replace(/@.*$/, ''));
const parts = NAME
  ? [NAME]
  : ['touchstone', workflow, JOB ?? '', stem(SUITE ?? ''), stem(CONFIG ?? '')];
let name = parts.map(clean).filter(Boolean).join('-') || 'touchstone';
for (const value of valuesOf(JSON.parse(MATRIX || 'null')).map(clean))
  if (value !== '' && !`-${name}-`.includes(`-${value}-`)) name += `-${value}`;
if (name.length > maxLength) {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  name = `${name.slice(0, maxLength - 9)}-${hash}`;
}

// The second use of a name in a job is another one.
const folder = join(RUNNER_TEMP, 'touchstone-uses');
mkdirSync(folder, { recursive: true });
const run = `${GITHUB_RUN_ID}/${GITHUB_RUN_ATTEMPT}`;
const isTaken = (each) => {
  const file = join(folder, each);
  return existsSync(file) && readFileSync(file, 'utf8') === run;
};
let own = name;
for (let number = 2; isTaken(own); number += 1) own = `${name}-${number}`;
writeFileSync(join(folder, own), run);
appendFileSync(GITHUB_OUTPUT, `name=${own}\n`);
console.log(`Touchstone calls this use ${own}.`);
