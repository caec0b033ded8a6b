import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import type { ExpectedCall } from '../../../../src-shared/domain/testCase.ts';
import {
  planEvaluation,
  serversOf,
  type KnownServers,
  type PlannedCase,
} from './planEvaluation.ts';

const builtin = { provider: 'builtin', model: 'default-v1' };
const settings = (
  change: Partial<Pick<EvaluationSettings, 'servers' | 'repetitions'>> = {},
  models: object[] = [builtin],
) => evaluationSettings.parse({ suiteId: null, models, ...change });

/** Servers with their tools as last listed; null where they were never listed. */
const knownServers = (
  servers: Record<string, string[] | null>,
  ofFile: string[] | null = null,
): KnownServers => ({
  has: (server) => server in servers,
  tools: (server) => (servers[server] ? new Set(servers[server]) : null),
  ofFile,
});

const planned = (
  key: string,
  servers: string[],
  expectedCalls: ExpectedCall[] = [],
): PlannedCase => ({ key, content: { servers, expectedCalls, allowedCalls: [] } });
const call = (server: string, tool: string): ExpectedCall => ({ server, tool });

describe('serversOf', () => {
  it("prefers the evaluation's own servers, then those of the case, then those of the suite", () => {
    expect(serversOf({ servers: ['case'] }, { servers: ['own'] }, ['suite'])).toEqual(['own']);
    expect(serversOf({ servers: ['case'] }, { servers: null }, ['suite'])).toEqual(['case']);
    expect(serversOf({ servers: [] }, { servers: null }, ['suite'])).toEqual(['suite']);
  });
});

describe('planEvaluation', () => {
  it('counts cases × models × repetitions and lists the needed servers', () => {
    const cases = [planned('a', ['s']), planned('b', [])];
    const plan = planEvaluation(
      cases,
      settings({ repetitions: 3 }, [builtin, { ...builtin, model: 'other' }]),
      ['t'],
      knownServers({ s: null, t: null }),
    );
    expect(plan).toEqual({ cases: 2, runs: 2 * 2 * 3, servers: ['s', 't'], problems: [] });
  });

  it('counts a model that is listed twice once', () => {
    expect(
      planEvaluation(
        [planned('a', ['s'])],
        settings({}, [builtin, builtin]),
        [],
        knownServers({ s: null }),
      ).runs,
    ).toBe(1);
  });

  it('reports an empty suite, a case without servers and an unknown server as errors', () => {
    expect(planEvaluation([], settings(), ['s'], knownServers({ s: null })).problems).toMatchObject(
      [{ severity: 'error', caseKey: null, message: expect.stringContaining('no cases') }],
    );
    expect(
      planEvaluation([planned('a', [])], settings(), [], knownServers({})).problems,
    ).toMatchObject([
      { severity: 'error', caseKey: 'a', message: expect.stringContaining('names no server') },
    ]);
    expect(
      planEvaluation(
        [planned('a', ['s']), planned('b', ['x', 's']), planned('c', ['x'])],
        settings(),
        [],
        knownServers({ s: null }),
      ).problems,
    ).toMatchObject([
      {
        severity: 'error',
        caseKey: 'b',
        message: expect.stringMatching(/Server x .*first named by case b/),
      },
    ]);
  });

  it('says of a server that the tools file lacks where its servers come from', () => {
    const ofFile = ['tools', 'b', 'c', 'd', 'e', 'f'];
    const known = knownServers({ tools: ['add'] }, ofFile);
    expect(
      planEvaluation([planned('a', ['notes'])], settings(), [], known).problems.map(
        ({ message }) => message,
      ),
    ).toEqual([
      'The tools file has no tools of server notes (first named by case a). Its tools belong to: ' +
        'tools, b, c, d, e, …. A tool without "server" belongs to a server named like the file. ' +
        'Name the file notes.json, a folder of skills notes, or add "server": "notes" to the ' +
        'tools of the file.',
    ]);
  });

  it('warns about expected tools that are not listed or not offered', () => {
    const known = knownServers({ s: ['add'], t: ['add'], fresh: null });
    const cases = [
      planned('listed', ['s'], [call('s', 'add')]),
      planned('gone', ['s'], [call('s', 'remove')]),
      planned('elsewhere', ['s'], [call('t', 'add')]),
      planned(
        'one-of-two',
        ['s'],
        [
          {
            anyOf: [
              { server: 't', tool: 'add' },
              { server: 's', tool: 'add' },
            ],
          },
        ],
      ),
      planned(
        'none-of-two',
        ['s'],
        [
          {
            anyOf: [
              { server: 't', tool: 'add' },
              { server: 's', tool: 'x' },
            ],
          },
        ],
      ),
      planned('never-listed', ['fresh'], [call('fresh', 'anything')]),
    ];
    expect(
      planEvaluation(cases, settings(), [], known).problems.map(({ severity, caseKey }) => [
        severity,
        caseKey,
      ]),
    ).toEqual([
      ['warning', 'gone'],
      ['warning', 'elsewhere'],
      ['warning', 'none-of-two'],
    ]);
    expect(
      planEvaluation(cases.slice(0, 1), settings({ servers: ['t'] }), [], known),
    ).toMatchObject({
      servers: ['t'],
      problems: [{ caseKey: 'listed', message: expect.stringContaining('s:add') }],
    });
  });

  it('lists errors before warnings and cuts the list at 200', () => {
    const cases = [
      ...Array.from({ length: 300 }, (_, index) =>
        planned(`w${index}`, ['s'], [call('s', 'gone')]),
      ),
      planned('bad', []),
      planned('worse', ['nowhere']),
    ];
    const { problems } = planEvaluation(cases, settings(), [], knownServers({ s: ['add'] }));
    expect(problems).toHaveLength(201);
    expect(problems.slice(0, 3).map(({ severity, caseKey }) => [severity, caseKey])).toEqual([
      ['error', 'worse'],
      ['error', 'bad'],
      ['warning', 'w0'],
    ]);
    expect(problems.at(-1)).toEqual({
      severity: 'warning',
      caseKey: null,
      message: '102 more problems of these kinds.',
    });
  });

  it('cuts the list of errors for ten thousand unknown servers', () => {
    const cases = Array.from({ length: 10_000 }, (_, index) =>
      planned(`c${index}`, [`server-${index}`]),
    );
    const { problems, servers } = planEvaluation(cases, settings(), [], knownServers({}));
    expect(servers).toHaveLength(10_000);
    expect(problems).toHaveLength(201);
    expect(problems[0]).toMatchObject({ severity: 'error', caseKey: 'c0' });
  });

  it('plans the same servers, runs and problems in any order of the cases', () => {
    const name = fc.constantFrom('s', 't', 'unknown');
    const one = fc.record({
      servers: fc.uniqueArray(name, { maxLength: 3 }),
      expectedCalls: fc.array(fc.record({ server: name, tool: fc.constantFrom('add', 'gone') }), {
        maxLength: 2,
      }),
    });
    const shuffled = fc.array(one, { maxLength: 8 }).chain((all) => {
      const cases = all.map(({ servers, expectedCalls }, index) =>
        planned(`c${index}`, servers, expectedCalls),
      );
      return fc.tuple(
        fc.constant(cases),
        fc.shuffledSubarray(cases, { minLength: cases.length, maxLength: cases.length }),
      );
    });
    const known = knownServers({ s: ['add'], t: null });
    // Which case names an unknown server first depends on the order, so it is left out.
    const comparable = (cases: PlannedCase[]) => {
      const { problems, servers, ...rest } = planEvaluation(cases, settings(), ['s'], known);
      return {
        ...rest,
        servers: [...servers].sort(),
        problems: problems
          .map(
            ({ severity, message }) =>
              `${severity} ${message.replace(/\(first named by .*?\)/, '')}`,
          )
          .sort(),
      };
    };
    fc.assert(
      fc.property(shuffled, ([cases, other]) => {
        expect(comparable(other)).toEqual(comparable(cases));
      }),
    );
  });
});
