import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { RejectedTool } from '../../../src-shared/domain/tool.ts';
import { qualityCause } from '../../../src-shared/display/qualityTexts.ts';
import { lintWithClients } from '../similarity/lint.ts';
import { clientFindings } from './clientFindings.ts';
import { clientRuleIds, type ClientRule } from './clientRules.ts';
import { readClientFacts, viewsOf } from './clientViews.ts';
import { clientsHeadline, readMatrix, readSeen } from './readClients.ts';

const text = { type: 'string', description: 'The number of the parcel.' };
const tool = (
  name: string,
  inputSchema: JsonObject = { type: 'object', properties: { parcel: text } },
  more: Partial<AnalysedTool> = {},
): AnalysedTool => ({
  server: 'parcels',
  name,
  description: `Does ${name} with one parcel.`,
  inputSchema,
  ...more,
});
const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});

const viewsWith = (tools: readonly AnalysedTool[], rejected: readonly RejectedTool[] = []) =>
  viewsOf(tools, rejected, readClientFacts(), said);
const found = (tools: readonly AnalysedTool[], rejected: readonly RejectedTool[] = []) =>
  clientFindings(viewsWith(tools, rejected));

/** What servers say of themselves. */
const said = new Map([
  ['silent', ''],
  ['wordy', 'It knows where a parcel is. '.repeat(20)],
  ['plain', 'It knows where a parcel is.'],
]);
const searching = 'Codex with gpt-5.5 and gpt-6.1-sol';

/** Per rule: tools in which it finds something, the clients that it names, and the same mended. */
const cases: Record<ClientRule, { bad: AnalysedTool[]; clients: string; good: AnalysedTool[] }> = {
  'client-hides-server': {
    bad: [tool('track'), tool('bad', schema({ any: true }))],
    clients: 'Claude Code, Gemini CLI, opencode, and Continue',
    good: [tool('track'), tool('bad', schema({ any: {} }))],
  },
  'client-hides-tool': {
    bad: [tool('track', { ...schema({}), anyOf: [{ required: ['parcel'] }] })],
    clients: 'Claude Code',
    good: [tool('track')],
  },
  'client-cuts-description': {
    bad: [tool('track', undefined, { description: 'x'.repeat(3000) })],
    clients: 'Claude Code',
    good: [tool('track', undefined, { description: 'x'.repeat(2048) })],
  },
  'client-loses-reference': {
    bad: [tool('send', schema({ to: { $ref: '#/$defs/to' } }, { $defs: { to: text } }))],
    clients: 'Continue',
    good: [tool('send', schema({ to: text }))],
  },
  'client-closes-schema': {
    bad: [tool('set', { type: 'object', additionalProperties: { type: 'string' } })],
    clients: 'opencode',
    good: [tool('set', schema({ parcel: text }, { additionalProperties: false }))],
  },
  'client-drops-keywords': {
    bad: [tool('book', schema({ seats: { type: 'integer', minimum: 1, maximum: 8 } }))],
    clients: 'Codex (also with gpt-5.5 and gpt-6.1-sol)',
    good: [tool('book', schema({ seats: { type: 'integer', description: '1 to 8.' } }))],
  },
  'client-cuts-instructions': {
    bad: [tool('track', undefined, { server: 'silent' })],
    clients: searching,
    good: [tool('track', undefined, { server: 'plain' }), tool('track')],
  },
};

describe('findings of clients', () => {
  it.each(clientRuleIds)(
    '%s is found in a bad tool, names its clients, and not in a good one',
    (rule) => {
      const { bad, clients, good } = cases[rule];
      const own = found(bad).filter((one) => one.rule === rule);
      expect(own).toHaveLength(1);
      expect(own[0]?.message.startsWith(`${clients} `)).toBe(true);
      expect(own[0]?.refusedBy?.every(({ source }) => source.startsWith('measured with '))).toBe(
        true,
      );
      expect(found(good).map((one) => one.rule)).not.toContain(rule);
    },
  );

  it('names the page by which a limit is documented, and marks the rest as not documented', () => {
    const tools = [...Array(130).keys()].map((at) => tool(`track_${at}`));
    const hidden = found(tools).filter(({ rule }) => rule === 'client-hides-tool');
    expect(
      hidden.filter(({ toolId }) => toolId === 'parcels:track_129').map(({ message }) => message),
    ).toEqual([
      'VS Code shows 128 tools at most, and which it leaves out is not documented. Offer fewer.',
      'Windsurf shows 100 tools at most, and which it leaves out is not documented. Offer fewer.',
    ]);
    expect(
      new Set(hidden.flatMap(({ refusedBy = [] }) => refusedBy.map((one) => one.source))),
    ).toEqual(
      new Set([
        'https://docs.windsurf.com/windsurf/cascade/mcp',
        'https://code.visualstudio.com/docs/copilot/agents/agent-tools',
      ]),
    );
    const views = viewsWith(tools.slice(0, 2));
    expect(readMatrix(views).rows[0]?.marks.slice(10)).toEqual(Array(6).fill('unknown'));
    expect(clientsHeadline(views)).toBe(
      'All 2 tools reach the model unchanged in each of 10 clients.',
    );
    const cursor = readSeen(views, { server: 'parcels', tool: 'track_0' }).find(
      ({ seen }) => seen.client.id === 'cursor',
    );
    expect(cursor?.seen).toMatchObject({
      ...{ mark: 'unknown', wireName: null, tokens: null },
      changes: [
        'Not documented: names, order, descriptions, schemas, hidden tools, and instructions.',
      ],
    });
  });

  it('says of one flaw what each client makes of it, as one finding', () => {
    const facts = readClientFacts().map((one) =>
      one.id === 'cline'
        ? { ...one, description: { ...one.description, cut: { characters: 900, mark: '…' } } }
        : one,
    );
    const tools = [tool('track', undefined, { description: 'x'.repeat(3000) })];
    const [finding, ...others] = clientFindings(viewsOf(tools, [], facts, said));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      message:
        'Claude Code cuts the description of "track" after 2,048 of its 3,000 characters. ' +
        'Cline cuts the description of "track" after 900 of its 3,000 characters.',
      refusedBy: [{ client: 'Claude Code' }, { client: 'Cline' }],
    });
  });

  it('says how little of a server a model reads before it searches, at its first tool', () => {
    const tools = ['silent', 'wordy', 'plain', 'unasked'].flatMap((server) =>
      ['send', 'track'].map((name) => tool(name, undefined, { server })),
    );
    expect(found(tools).map(({ toolId, message }) => [toolId, message])).toEqual([
      [
        'silent:send',
        `${searching} shows only the name of "silent" before a search, because it has no instructions.`,
      ],
      [
        'wordy:send',
        `${searching} shows 247 of the 559 characters of the instructions of "wordy" before a search, and no tool.`,
      ],
    ]);
    const seen = readSeen(viewsWith(tools), { server: 'wordy', tool: 'track' });
    expect(
      seen.flatMap(({ seen: { client, before } }) =>
        before === null ? [] : [client.id, before.length],
      ),
    ).toEqual(['codex-gpt-5.5', 250, 'codex-gpt-6.1-sol', 250]);
  });

  it('finds a tool that hides its server once, at that tool, however many tools are lost', () => {
    const tools = [...Array(12).keys()].map((at) => tool(`track_${at}`));
    const all = found([...tools, tool('bad', { properties: {} })]);
    expect(all.map(({ rule, toolId }) => [rule, toolId])).toEqual([
      ['client-hides-server', 'parcels:bad'],
    ]);
    expect(all[0]?.message).toContain('show none of the 13 tools of "parcels" because of "bad":');
  });

  it('counts a tool that can’t be offered, and says so of a name that is listed twice', () => {
    const missing = {
      server: 'parcels',
      name: 'bad',
      reason: 'Its inputSchema is missing, not an object.',
    };
    expect(found([tool('track')], [missing]).map(({ rule }) => rule)).toContain(
      'client-hides-server',
    );
    const twice = {
      server: 'parcels',
      name: 'track',
      reason: 'The server lists another tool with this name first; that one is kept.',
    };
    const [only, ...others] = found([tool('track')], [twice]).filter(
      ({ rule }) => rule === 'client-hides-server',
    );
    expect(others).toEqual([]);
    expect(only?.message).toBe(
      'Qwen Code shows none of the 2 tools of "parcels" because of "track": the server lists it twice.',
    );
  });

  it('says nothing of a parameter that is named like a keyword, of skills, and of lists without schemas', () => {
    const named = tool('book', schema({ maximum: text, default: text, pattern: text }));
    expect(found([named])).toEqual([]);
    const skill = {
      ...tool('skill', {}),
      skill: { folder: 's', body: '', files: [] },
    } as unknown as AnalysedTool;
    expect(found([skill, tool('corpus', {}, { schemaless: true })])).toEqual([]);
  });

  it('takes no points, comes first where it hides a server, and can be turned off', async () => {
    const bad = tool('bad', schema({ any: true }));
    const report = await lintWithClients([tool('track'), bad]);
    expect(report.findings[0]?.rule).toBe('client-hides-server');
    expect(
      report.tools
        .flatMap(({ deductions }) => deductions.map(({ rule }) => rule))
        .filter((rule) => rule.startsWith('client-')),
    ).toEqual([]);
    const off = await lintWithClients([bad], { off: new Set(clientRuleIds) });
    expect(off.findings.filter(({ rule }) => rule.startsWith('client-'))).toEqual([]);
  });

  it.each([
    ['after', 'x'.repeat(2_048), []],
    [
      'after more than the limit before',
      'x'.repeat(3_000),
      ['after 2,048 of its 3,000 characters'],
    ],
  ])('counts no white space at the end of a description: %s', (_where, text, expected) => {
    const cuts = found([tool('track', undefined, { description: `${text}\n \n` })]).filter(
      ({ rule }) => rule === 'client-cuts-description',
    );
    expect(cuts.map(({ message }) => /after .* characters/u.exec(message)?.[0])).toEqual(expected);
  });

  it('has plain words for each rule', () => {
    expect(clientRuleIds.filter((id) => qualityCause(id) === id)).toEqual([]);
  });
});

describe('the matrix of clients', () => {
  it('says in its headline where most tools are lost, where descriptions are cut, and what is changed', () => {
    const long = tool('long', undefined, { description: 'x'.repeat(3000) });
    const united = tool('track', { ...schema({}), anyOf: [{ required: ['parcel'] }] });
    expect(clientsHeadline(viewsWith([tool('a'), united, long]))).toBe(
      "1 of 3 tools doesn't reach the model in Claude Code. 1 description is cut in Claude Code. " +
        '1 tool is callable with a changed schema in 6 clients.',
    );
    expect(clientsHeadline(viewsWith([tool('a')]))).toBe(
      'The tool reaches the model unchanged in each of 10 clients.',
    );
    expect(clientsHeadline(viewsWith([tool('a'), long]))).toBe(
      'None of 10 clients hides a tool. 1 description is cut in Claude Code.',
    );
    expect(clientsHeadline([])).toBe('No tools to show to clients.');
  });

  it('lists tools with the gravest marks first, and lost servers with the tool to correct', () => {
    const other = { ...tool('fine'), server: 'mail' };
    const { rows, lost } = readMatrix(
      viewsWith([other, tool('track'), tool('bad', schema({ any: true }))]),
    );
    expect(rows.map(({ toolId }) => toolId)).toEqual(['parcels:bad', 'parcels:track', 'mail:fine']);
    expect(rows[1]?.marks.filter((mark) => mark === 'server')).toHaveLength(4);
    expect(lost).toEqual([
      {
        ...{ server: 'parcels', tools: 2, because: 'bad' },
        clients: ['Claude Code', 'Gemini CLI', 'opencode', 'Continue'],
        why: 'a parameter has true or false as its schema.',
        fix: 'Write {} for any value, or leave the parameter out.',
      },
    ]);
  });

  it('says in the row of a tool what each client changes, and nothing where that is not its mark', () => {
    const of = (description: string) => {
      const { headline, clients, rows } = readMatrix(
        viewsWith([tool('mute', undefined, { description })]),
      );
      const at = (name: string) => clients.findIndex((client) => client.name === name);
      return {
        headline,
        in: (name: string) => [rows[0]?.marks[at(name)], rows[0]?.changed[at(name)]],
      };
    };
    const empty = of('');
    expect(empty.in('Cline')).toEqual(['changed', ['description']]);
    expect(empty.in('Codex')).toEqual(['shown', []]);
    expect(empty.headline).toContain('1 tool is callable with a changed description in Cline.');
    expect(of('x'.repeat(3000)).in('Claude Code')).toEqual(['cut', []]);
  });

  it('says by how many characters a name is too long', () => {
    const long = tool('x'.repeat(60));
    const seen = readSeen(viewsWith([long]), { server: 'parcels', tool: long.name });
    const fixes = Object.fromEntries(seen.map(({ seen: { client, fix } }) => [client.id, fix]));
    // mcp_parcels_ and 60 characters are 72, and 63 fit.
    expect(fixes['gemini-cli']).toBe(
      'Shorten the server name by 9 characters or the tool name by 9.',
    );
    expect(fixes['claude-code']).toBeNull();
  });

  it('shows before and after of what is changed, and nothing of what isn’t', () => {
    const long = tool('long', undefined, { description: 'x'.repeat(3000) });
    const seen = readSeen(viewsWith([long]), { server: 'parcels', tool: 'long' });
    const of = (id: string) => seen.find((one) => one.seen.client.id === id)?.seen;
    expect(of('claude-code')?.description?.after).toHaveLength(2061);
    expect(of('claude-code')?.mark).toBe('cut');
    expect(of('cline')).toMatchObject({
      mark: 'shown',
      description: null,
      schema: null,
      changes: [],
    });
  });
});
