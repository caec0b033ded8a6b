import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/programFiles.ts';
import { benchEvaluations } from './evaluations.ts';
import { benchModels } from './models.ts';
import { benchSimilarity } from './similarity.ts';
import { toMarkdown } from './report.ts';
import { benchReports } from './reports.ts';
import { benchResponsiveness } from './responsiveness.ts';
import { benchResults } from './results.ts';
import { benchRetrieval, benchRetrievers } from './retrieval.ts';
import { benchSecurity } from './security.ts';
import { benchStartUp } from './startUp.ts';
import { benchCases, benchServers } from './ownServers.ts';
import { benchStorage } from './storage.ts';
import { benchTokens } from './tokens.ts';
import { benchWorkshop } from './workshop.ts';

/** Prints ratios against a peer or a floor, all taken in this one run. `--write` puts the table into docs/benchmarks.md. */
if (!existsSync(join(programFiles.renderer, 'index.html'))) throw new Error('Build first: npm run build.');
const rows = [
  ...(await benchEvaluations()),
  ...(await benchModels()),
  ...(await benchResponsiveness()),
  ...benchStorage(),
  ...(await benchServers()),
  ...(await benchCases()),
  ...benchSecurity(),
  ...(await benchResults()),
  ...benchReports(),
  ...(await benchSimilarity()),
  ...benchRetrieval(),
  ...benchRetrievers(),
  ...benchTokens(),
  ...(await benchStartUp()),
  ...(await benchWorkshop()),
];
const table = toMarkdown(rows);
process.stdout.write(`${table}\n`);
if (process.argv.includes('--write')) {
  const file = join(programFiles.root, 'docs', 'benchmarks.md');
  const machine = `${new Date().toISOString().slice(0, 10)} · ${process.platform} ${process.arch} · ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'} · ${Math.round(totalmem() / 2 ** 30)} GiB · Node ${process.versions.node}`;
  const page = await readFile(file, 'utf8');
  await writeFile(file, page.replace(/<!-- table -->[\s\S]*<!-- end -->/, `<!-- table -->\n${machine}\n\n${table}\n<!-- end -->`));
}
if (rows.some(({ ratio, bound }) => ratio !== null && bound !== null && ratio > bound)) process.exitCode = 1;
