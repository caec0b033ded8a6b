import { describe, expect, it } from 'vitest';
import type { ServerImportEntry } from '../../../../src-shared/domain/serverImport.ts';
import { firstChoice, orderOf, possibleActions } from './importChoice.ts';
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
  notCarried: [],
  variables: [],
  secrets: [],
  line: 1,
  column: 1,
  ...change,
});
const preview = {
  format: 'mcp-servers' as const,
  named: [],
  problems: [],
  skills: null,
  entries: [
    entry('new', {}),
    entry('same', { state: 'same', registersAs: null }),
    entry('taken', { state: 'conflict', registersAs: 'taken-2', replaces: 'taken' }),
    entry('bad', { state: 'skipped', registersAs: null }),
  ],
};

describe('import choices', () => {
  it('leaves out conflicting entries by default', () => {
    expect(orderOf(preview, firstChoice(preview))).toEqual({
      names: ['new'],
      replace: [],
      values: [],
      notSecret: [],
    });
  });

  it('T32: does not preselect entries marked as dangerous', () => {
    const entries = [
      entry('danger', { marks: [{ severity: 'danger', reason: 'x' }] }),
      entry('noted', { marks: [{ severity: 'note', reason: 'y' }] }),
    ];
    expect(orderOf({ ...preview, entries }, firstChoice({ ...preview, entries })).names).toEqual([
      'noted',
    ]);
  });

  it('offers only possible actions per entry', () => {
    expect(preview.entries.map(possibleActions)).toEqual([
      ['add', 'leave'],
      ['leave'],
      ['add', 'replace', 'leave'],
      ['leave'],
    ]);
  });

  it('sends only typed values and marks of imported entries', () => {
    const choice = {
      acts: { new: 'leave' as const, taken: 'replace' as const, bad: 'add' as const },
      values: { new: { '${input:a}': 'x' }, taken: { '${input:b}': 'y', '${input:c}': '' } },
      notSecret: { new: ['new/ID'], taken: ['taken/ID'] },
    };
    expect(orderOf(preview, choice)).toEqual({
      names: [],
      replace: ['taken'],
      values: [{ entry: 'taken', reference: '${input:b}', value: 'y' }],
      notSecret: [{ entry: 'taken', secret: 'taken/ID' }],
    });
  });
});

describe('import source', () => {
  it('T64: refuses a file that is too large without reading it', async () => {
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

  it('reports a dropped folder', async () => {
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

  it('encodes a bundle in Base64', async () => {
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

  it('recognizes pasted links, TOML and JSON', () => {
    expect(pastedSource(' cursor://x?y=1\n')).toEqual({ fileName: 'link', text: 'cursor://x?y=1' });
    expect(pastedSource('[mcp_servers.a]\ncommand = "x"')).toMatchObject({
      fileName: 'pasted.toml',
    });
    expect(pastedSource('{"mcpServers":{}}')).toMatchObject({ fileName: 'pasted.json' });
  });
});
