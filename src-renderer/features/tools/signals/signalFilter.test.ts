import { describe, expect, it } from 'vitest';
import type { ScanReport, ToolFinding } from '../../../../src-shared/domain/security.ts';
import { signalGroups } from '../../../../src-shared/display/signalGroups.ts';
import { changedLines, matchesFilter, type SignalFilter } from './signalFilter.ts';

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
const report = (...tools: [string, ToolFinding[]][]): ScanReport => ({
  servers: [],
  tools: tools.map(([tool, findings]) => ({
    serverId: '1',
    server: 's',
    tool,
    definition: {},
    findings,
    change: null,
    firstSeenAt: null,
    problem: null,
  })),
});
const everything: SignalFilter = { severities: [], detector: null, server: null, search: '' };

describe('signalGroups', () => {
  it('joins the findings of one cause and tool, with the most severe first', () => {
    const groups = signalGroups(
      report(
        ['t', [finding({ fingerprint: 'a' }), finding({ fingerprint: 'b', severity: 'critical' })]],
        ['u', [finding({ severity: 'high' }), finding({ detector: 'exfiltration' })]],
      ),
    );
    expect(
      groups.map(({ scanned, detector, severity, findings }) => [
        scanned.tool,
        detector,
        severity,
        findings.length,
      ]),
    ).toEqual([
      ['t', 'shadowing', 'critical', 2],
      ['u', 'shadowing', 'high', 1],
      ['u', 'exfiltration', 'low', 1],
    ]);
    expect(groups[0]?.findings.map(({ fingerprint }) => fingerprint)).toEqual(['b', 'a']);
  });

  it('keeps findings marked as safe apart from open ones of the same cause', () => {
    const safe = { reason: '', at: '2026-01-01T00:00:00.000Z' };
    const groups = signalGroups(report(['t', [finding({ accepted: safe }), finding({})]]));
    expect(groups.map((group) => group.safe)).toEqual(expect.arrayContaining([safe, null]));
    expect(groups).toHaveLength(2);
  });

  it('keeps the server instructions apart from a tool', () => {
    const groups = signalGroups(report(['', [finding({ tool: '' })]], ['t', [finding({})]]));
    expect(groups.map(({ scanned }) => scanned.tool)).toEqual(['', 't']);
  });
});

describe('matchesFilter', () => {
  const [group] = signalGroups(report(['t', [finding({ why: 'It sends.', severity: 'high' })]]));
  it.each<[boolean, Partial<SignalFilter>]>([
    [true, {}],
    [true, { severities: ['high', 'low'], detector: 'shadowing', server: 's', search: 'SENDS' }],
    [false, { severities: ['critical'] }],
    [false, { detector: 'exfiltration' }],
    [false, { server: 'other' }],
    [false, { search: 'nothing like it' }],
  ])('returns %s for %j', (expected, part) => {
    expect(group && matchesFilter(group, { ...everything, ...part })).toBe(expected);
  });

  it('leaves out the filter whose choices are counted', () => {
    expect(group && matchesFilter(group, { ...everything, server: 'other' }, 'server')).toBe(true);
  });
});

describe('changedLines', () => {
  it('lists exactly the removed and added lines', () => {
    expect(changedLines('a\nb\nc', 'a\nx\ny\nc')).toEqual({ removed: ['b'], added: ['x', 'y'] });
    expect(changedLines('a', 'a')).toEqual({ removed: [], added: [] });
    expect(changedLines('a\na', 'a')).toEqual({ removed: ['a'], added: [] });
  });
});
