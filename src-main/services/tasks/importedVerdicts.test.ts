import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  judgedKinds,
  judgeImported,
  verdictTable,
} from '../../testing/importedVerdicts/importedVerdicts.ts';

/** Each run is judged once, for its own test and for the table. */
const judged = new Map<string, ReturnType<typeof judgeImported>>();
const judgeOnce: typeof judgeImported = (kind, given) => {
  const key = `${kind.name}: ${given.title}`;
  const verdict = judged.get(key) ?? judgeImported(kind, given);
  judged.set(key, verdict);
  return verdict;
};

describe.each(judgedKinds)('imported tasks of $name', (kind) => {
  it('has ten of them, with runs that succeed and runs that fail', () => {
    const verdicts = kind.runs.map(({ file, run }) => kind.judge(file, run));
    expect(verdicts).toHaveLength(10);
    expect(new Set(verdicts)).toEqual(new Set([true, false]));
  });

  it.each(kind.runs)('judges as its own program does: $title', async (given) => {
    const { theirs, ours } = await judgeOnce(kind, given);
    expect(ours).toBe(theirs);
  });
});

it('docs/verdicts.md has the table that scripts/writeVerdicts.ts writes', async () => {
  const page = await readFile(new URL('../../../docs/verdicts.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- table -->\n\n([^]*?)\n\n<!-- \/table -->/.exec(page) ?? [];
  expect(table).toBe(await verdictTable(judgeOnce));
});
