import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { programFiles } from '../src-main/runtime/programFiles.ts';
import { benchCoverage, writeCoverage } from './coverage.ts';
import { benchDurability } from './durability.ts';
import { benchEvaluations } from './evaluations.ts';
import { benchGateway } from './gateway.ts';
import { benchHostile } from './hostile.ts';
import { benchImports } from './imports.ts';
import { benchKills } from './kills.ts';
import { benchLargeSuite } from './largeSuite.ts';
import { benchMerge } from './merge.ts';
import { benchModels } from './models.ts';
import { benchOptimizer } from './optimizer.ts';
import { benchSimilarity } from './similarity.ts';
import { toMarkdown, type Row } from './report.ts';
import { benchReports } from './reports.ts';
import { benchResponsiveness } from './responsiveness.ts';
import { benchResults } from './results.ts';
import { benchRetrieval, benchRetrievers } from './retrieval.ts';
import { benchSecurity } from './security.ts';
import { benchStartUp } from './startUp.ts';
import { benchCases, benchServers } from './ownServers.ts';
import { benchStorage } from './storage.ts';
import { benchTasks } from './tasks.ts';
import { benchTokens } from './tokens.ts';
import { benchWorkshop } from './workshop.ts';

const benches: readonly [name: string, take: () => Row[] | Promise<Row[]>][] = [
  ['evaluations', benchEvaluations],
  ['models', benchModels],
  ['tasks', benchTasks],
  ['responsiveness', benchResponsiveness],
  ['hostile', benchHostile],
  ['storage', benchStorage],
  ['durability', benchDurability],
  ['kills', benchKills],
  ['servers', benchServers],
  ['gateway', benchGateway],
  ['cases', benchCases],
  ['imports', benchImports],
  ['large-suite', benchLargeSuite],
  ['security', benchSecurity],
  ['results', benchResults],
  ['reports', benchReports],
  ['merge', () => benchMerge()],
  ['similarity', benchSimilarity],
  ['optimizer', benchOptimizer],
  ['retrieval', benchRetrieval],
  ['retrievers', benchRetrievers],
  ['tokens', benchTokens],
  ['coverage', benchCoverage],
  ['start', benchStartUp],
  ['workshop', benchWorkshop],
];

/**
 * Prints ratios against a peer or a floor, all measured in this run: each part on stderr when it is
 * done, the whole table on stdout. Names of parts limit the run to those. `--write` writes the
 * table of a whole run to docs/benchmarks.md, and that of `coverage` to docs/rules.md.
 */
if (!existsSync(join(programFiles.renderer, 'index.html')))
  throw new Error('Build first: npm run build.');
const names = process.argv.slice(2).filter((word) => word !== '--write');
const unknown = names.find((name) => !benches.some(([each]) => each === name));
if (unknown !== undefined)
  throw new Error(
    `Nothing is measured under the name ${unknown}. There are: ` +
      `${benches.map(([name]) => name).join(', ')}.`,
  );
const rows: Row[] = [];
for (const [name, take] of benches.filter(([each]) => names.length === 0 || names.includes(each))) {
  const startedAt = performance.now();
  const taken = await take();
  rows.push(...taken);
  process.stderr.write(
    `${name}, ${Math.round((performance.now() - startedAt) / 1000)} s\n${toMarkdown(taken)}\n`,
  );
}
const table = toMarkdown(rows);
process.stdout.write(`${table}\n`);
if (process.argv.includes('--write') && (names.length === 0 || names.includes('coverage')))
  await writeCoverage();
if (process.argv.includes('--write') && names.length === 0) {
  const file = join(programFiles.root, 'docs', 'benchmarks.md');
  const machine =
    `${new Date().toISOString().slice(0, 10)} · ${process.platform} ${process.arch} · ` +
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'} · ${Math.round(totalmem() / 2 ** 30)} ` +
    `GiB · Node ${process.versions.node}`;
  const page = await readFile(file, 'utf8');
  await writeFile(
    file,
    page.replace(
      /<!-- table -->[\s\S]*<!-- end -->/,
      `<!-- table -->\n${machine}\n\n${table}\n<!-- end -->`,
    ),
  );
}
if (rows.some(({ ratio, bound }) => ratio !== null && bound !== null && ratio > bound))
  process.exitCode = 1;
