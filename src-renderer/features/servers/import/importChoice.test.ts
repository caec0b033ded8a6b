import { describe, expect, it } from 'vitest';
import type { ServerImportEntry } from '../../../../src-shared/domain/serverImport.ts';
import { firstChoice, orderOf, possibleActs } from './importChoice.ts';
import { pastedSource, readSource } from './readSource.ts';

const entry = (name: string, change: Partial<ServerImportEntry>): ServerImportEntry => ({
  name,
  state: 'new',
  reason: null,
  replaces: null,
  registersAs: name,
  command: 'x',
  config: null,
  marks: [],
  warnings: [],
  variables: [],
  secrets: [],
  line: 1,
  column: 1,
  ...change,
});
const preview = {
  format: 'mcp-servers' as const,
  problems: [],
  entries: [
    entry('new', {}),
    entry('same', { state: 'same', registersAs: null }),
    entry('taken', { state: 'conflict', registersAs: 'taken-2', replaces: 'taken' }),
    entry('bad', { state: 'skipped', registersAs: null }),
  ],
};

describe('what is chosen of an import', () => {
  it('an entry that collides would be imported without a decision', () => {
    expect(orderOf(preview, firstChoice(preview))).toEqual({
      names: ['new'],
      replace: [],
      values: [],
    });
  });

  it('T32: a command that is marked as dangerous would be chosen beforehand', () => {
    const entries = [
      entry('danger', { marks: [{ severity: 'danger', reason: 'x' }] }),
      entry('noted', { marks: [{ severity: 'note', reason: 'y' }] }),
    ];
    expect(orderOf({ ...preview, entries }, firstChoice({ ...preview, entries })).names).toEqual([
      'noted',
    ]);
  });

  it('an entry that can not be read, or that is there already, would be offered', () => {
    expect(preview.entries.map(possibleActs)).toEqual([
      ['add', 'leave'],
      ['leave'],
      ['add', 'replace', 'leave'],
      ['leave'],
    ]);
  });

  it('a value that was typed for an entry that is left out would be sent, or an empty one', () => {
    const choice = {
      acts: { new: 'leave' as const, taken: 'replace' as const, bad: 'add' as const },
      values: { new: { '${input:a}': 'x' }, taken: { '${input:b}': 'y', '${input:c}': '' } },
    };
    expect(orderOf(preview, choice)).toEqual({
      names: [],
      replace: ['taken'],
      values: [{ entry: 'taken', reference: '${input:b}', value: 'y' }],
    });
  });
});

describe('the source of an import', () => {
  it('T64: a file that is too large would be read before it is refused', async () => {
    let asked = 0;
    const read = await readSource({
      name: 'huge.json',
      size: 1024 ** 3,
      arrayBuffer: () => Promise.resolve(new ArrayBuffer((asked += 1))),
    });
    expect(read).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/huge\.json.*larger than/) as string,
    });
    expect(asked).toBe(0);
  });

  it('a folder that is dropped would be an error that nobody sees', async () => {
    const read = await readSource({
      name: 'servers',
      size: 4096,
      arrayBuffer: () => Promise.reject(new Error('A directory.')),
    });
    expect(read).toMatchObject({
      ok: false,
      problem: expect.stringContaining('servers') as string,
    });
  });

  it('a bundle would come as broken text', async () => {
    const bytes = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff]);
    expect(
      await readSource({
        name: 'a.mcpb',
        size: 5,
        arrayBuffer: () => Promise.resolve(bytes.buffer),
      }),
    ).toEqual({
      ok: true,
      source: { fileName: 'a.mcpb', text: Buffer.from(bytes).toString('base64') },
    });
  });

  it('a pasted link or a pasted TOML would be read as JSON', () => {
    expect(pastedSource(' cursor://x?y=1\n')).toEqual({ fileName: 'link', text: 'cursor://x?y=1' });
    expect(pastedSource('[mcp_servers.a]\ncommand = "x"')).toMatchObject({
      fileName: 'pasted.toml',
    });
    expect(pastedSource('{"mcpServers":{}}')).toMatchObject({ fileName: 'pasted.json' });
  });
});
