import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { runTexts, scanPart } from './partFile.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const write = (content: string | Buffer): string => {
  const file = join(folder.path, 'part.json');
  writeFileSync(file, content);
  return file;
};

/** What a report of a part is, with keys and texts that look like its lists. */
const value = fc.jsonValue({ maxDepth: 2 });
const list = fc.array(
  fc
    .oneof(value, fc.constant({ runs: [[1]], text: '],"runs":[\\"' }))
    .filter((one) => one !== null),
  { maxLength: 6 },
);
const part = fc.record({
  runs: list,
  before: value,
  shard: fc.record({ tools: list, runs: list, models: fc.constant([{ runs: [1, 2] }]) }),
  after: value,
});

describe('the report of a part', () => {
  it('is read run by run, however it is laid out', async () => {
    await fc.assert(
      fc.asyncProperty(part, fc.constantFrom(0, 2), async (document, indent) => {
        const file = write(JSON.stringify(document, null, indent));
        const scanned = await scanPart(file);
        const { shard } = document;
        expect(JSON.parse(scanned.head)).toEqual(
          JSON.parse(JSON.stringify({ ...document, runs: [], shard: { ...shard, runs: [] } })),
        );
        expect(scanned.runs).toBe(shard.runs.length);
        const runs = [...runTexts(file, scanned)].map((each) => JSON.parse(each) as unknown);
        expect(runs).toEqual(JSON.parse(JSON.stringify(shard.runs)));
      }),
      { numRuns: 300 },
    );
  });

  it('is read across the borders of chunks, in characters of several bytes', async () => {
    const runs = Array.from({ length: 3000 }, (_, at) => ({ at, text: '𝔘ñ"\\'.repeat(at % 40) }));
    const file = write(JSON.stringify({ runs, shard: { runs } }));
    const scanned = await scanPart(file);
    expect(JSON.parse(scanned.head)).toEqual({ runs: [], shard: { runs: [] } });
    expect([...runTexts(file, scanned)].map((each) => JSON.parse(each) as unknown)).toEqual(runs);
  });

  it('is never in memory as a whole: a run is given before the rest is read', async () => {
    const run = JSON.stringify({ text: 'x'.repeat(1000) });
    const all = `{"runs": [], "shard": {"runs": [${Array(1000).fill(run).join(',\n')}]}}`;
    const file = write(all);
    const scanned = await scanPart(file);
    expect([scanned.runs, scanned.head.length]).toEqual([1000, 35]);
    const runs = runTexts(file, scanned);
    expect(runs.next().value).toBe(run);
    // What is cut off from the file now was not read before.
    writeFileSync(file, all.slice(0, 300_000));
    expect([...runs].length).toBeLessThan(300);
  });

  it('is refused where it is not UTF-8', async () => {
    await expect(scanPart(write(Buffer.from('{"a": "ö"}', 'latin1')))).rejects.toThrow(TypeError);
    expect(await scanPart(write('{"a": []}'))).toEqual({
      head: '{"a": []}',
      runs: 0,
      runsAt: null,
      rowsAt: null,
    });
  });
});
