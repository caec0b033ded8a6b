/**
 * Runs the rules that the shell relies on in the real Electron, each in a process of its own, and
 * names those that it doesn't keep: there the stand-in of the tests is wrong. Ends with 1 then, and
 * with 2 where Electron's binary is not installed. Needs a display.
 *
 * `npm run electron:contract -- ID …` runs single rules.
 */
import { join } from 'node:path';
import { findElectron } from '../src-main/hosts/cli/openWindow.ts';
import { rules } from '../src-main/testing/electronContract/rules.ts';
import { buildContract, runRule } from '../src-main/testing/electronContract/runContract.ts';

const binary = findElectron();
if (binary === null) {
  console.error(
    'No rule was tried: Electron’s binary is not installed. Fetch it with npm run electron:install, then run this again.',
  );
  process.exit(2);
}
const named = process.argv.slice(2);
const unknown = named.filter((id) => !rules.some((rule) => rule.id === id));
if (unknown.length > 0) {
  console.error(`No rule is named ${unknown.join(', ')}. docs/electron.md lists the rules.`);
  process.exit(2);
}
const app = await buildContract(join(import.meta.dirname, '..'));
const chosen = rules.filter(({ id }) => named.length === 0 || named.includes(id));
const counts = { kept: 0, broken: 0, elsewhere: 0, person: 0 };
for (const rule of chosen) {
  if (rule.run === undefined) {
    counts.person += 1;
    continue;
  }
  if (rule.systems?.includes(process.platform) === false) {
    counts.elsewhere += 1;
    continue;
  }
  const difference = await runRule(rule, { binary, prefix: [] }, app);
  if (difference === null) {
    counts.kept += 1;
    console.log(`kept    ${rule.id}`);
    continue;
  }
  counts.broken += 1;
  console.log(
    [
      `BROKEN  ${rule.id}: ${rule.says}`,
      `  source:   ${rule.source.page}: “${rule.source.quote}”`,
      `  expected: ${JSON.stringify(difference.expected)}`,
      `  found:    ${JSON.stringify(difference.found)}`,
      ...difference.stderr
        .split('\n')
        .slice(-20)
        .filter(Boolean)
        .map((line) => `  stderr:   ${line}`),
    ].join('\n'),
  );
}
console.log(
  `${counts.kept} rules kept, ${counts.broken} broken, ${counts.elsewhere} of other systems, ` +
    `${counts.person} for a person (docs/electron.md).`,
);
process.exit(counts.broken > 0 ? 1 : 0);
