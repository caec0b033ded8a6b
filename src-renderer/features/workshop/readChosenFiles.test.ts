import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readChosenFiles } from './readChosenFiles.ts';

const archive = (files: Record<string, string>): File =>
  new File(
    [
      zipSync(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
      ),
    ],
    'tools.zip',
  );

describe('readChosenFiles', () => {
  it('reads tools and scripts from archives and files', async () => {
    const chosen = [
      archive({ 'a.tool.json': '{"é":1}', 'in/a.sh': 'echo', 'picture.png': 'x' }),
      new File(['{}'], 'b.tool.json'),
    ];
    expect(await readChosenFiles(chosen)).toEqual([
      { path: 'a.tool.json', text: '{"é":1}' },
      { path: 'in/a.sh', text: 'echo' },
      { path: 'b.tool.json', text: '{}' },
    ]);
  });

  it('names the file that is not a valid archive', async () => {
    await expect(readChosenFiles([new File(['no archive'], 'tools.ZIP')])).rejects.toThrow(
      /^Couldn’t read the archive tools\.ZIP/,
    );
  });

  it('refuses an archive that unpacks to more than 64 MB', async () => {
    await expect(
      readChosenFiles([archive({ 'a.json': ' '.repeat(65 * 1024 * 1024) })]),
    ).rejects.toThrow(/more than 64 MB/);
  });
});
