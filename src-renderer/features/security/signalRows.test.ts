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

describe('signalRows', () => {
  it('sorts by severity and puts accepted signals last', () => {
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

  it('hides accepted signals unless asked, and searches in any case', () => {
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

describe('changedLines', () => {
  it('lists exactly the removed and added lines', () => {
    expect(changedLines('a\nb\nc', 'a\nx\ny\nc')).toEqual({ removed: ['b'], added: ['x', 'y'] });
    expect(changedLines('a', 'a')).toEqual({ removed: [], added: [] });
    expect(changedLines('a\na', 'a')).toEqual({ removed: ['a'], added: [] });
  });
});
