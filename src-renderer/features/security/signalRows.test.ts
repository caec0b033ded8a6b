import { describe, expect, it } from 'vitest';
import type { ScanReport, ToolFinding } from '../../../src-shared/domain/security.ts';
import { changedLines, signalRows } from './signalRows.ts';

const finding = (part: Partial<ToolFinding>): ToolFinding => ({
  detector: 'shadowing',
  rule: 'r',
  category: 'shadowing',
  severity: 'low',
  place: '/description',
  span: [0, 1],
  text: 'x',
  why: 'Because.',
  fingerprint: 'f',
  server: 's',
  tool: 't',
  accepted: null,
  ...part,
});
const report = (findings: ToolFinding[]): ScanReport => ({
  servers: [],
  tools: [
    {
      serverId: '1',
      server: 's',
      tool: 't',
      definition: {},
      findings,
      change: null,
      problem: null,
    },
  ],
});

describe('rows of signals', () => {
  it('hide a grave signal below a mild one, or show accepted ones first', () => {
    const rows = signalRows(
      report([
        finding({ fingerprint: 'a', severity: 'critical', accepted: { reason: 'r', at: '' } }),
        finding({ fingerprint: 'b' }),
        finding({ fingerprint: 'c', severity: 'high' }),
      ]),
      { search: '', showAccepted: true },
    );
    expect(rows.map((row) => row.finding.fingerprint)).toEqual(['c', 'b', 'a']);
  });

  it('show accepted ones where they were not asked for, or lose what is searched', () => {
    const given = report([
      finding({ fingerprint: 'a', accepted: { reason: 'r', at: '' } }),
      finding({ fingerprint: 'b', why: 'It sends.' }),
    ]);
    expect(
      signalRows(given, { search: '', showAccepted: false }).map((row) => row.finding.fingerprint),
    ).toEqual(['b']);
    expect(
      signalRows(given, { search: 'SENDS', showAccepted: true }).map(
        (row) => row.finding.fingerprint,
      ),
    ).toEqual(['b']);
  });
});

describe('the difference of two texts', () => {
  it('names lines that are the same, or misses one that is not', () => {
    expect(changedLines('a\nb\nc', 'a\nx\ny\nc')).toEqual({ removed: ['b'], added: ['x', 'y'] });
    expect(changedLines('a', 'a')).toEqual({ removed: [], added: [] });
    expect(changedLines('a\na', 'a')).toEqual({ removed: ['a'], added: [] });
  });
});
