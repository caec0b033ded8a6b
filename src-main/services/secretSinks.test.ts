import { describe, expect, it } from 'vitest';
import { encodings } from '../adapters/secrets/encodings.fixture.ts';
import { leaksOf } from '../testing/secretLeaks.ts';
import { seededRandom } from '../testing/seededRandom.ts';
import { allEchoes, credential, echoSecrets, key, toolSecret } from '../testing/echoedSecrets.ts';

/** How much of all echoes is tried, because each is a run; the soak tries them all. */
const share = 4;

describe('T60: a secret that is echoed in every encoding', () => {
  it('is in no file, report, recording, log, answer and output of a command', async () => {
    // Steps of 4 through 21 encodings per place reach each encoding at two places.
    const first = seededRandom('echoes of secrets').integer(share);
    const { sinks, refusals } = await echoSecrets(
      allEchoes.filter((_, at) => at % share === first),
    );
    const leaks = [...sinks].flatMap(([sink, bytes]) =>
      leaksOf([key, credential, toolSecret], bytes).map((piece) => `${sink}: ${piece}`),
    );
    expect(leaks).toEqual([]);
    expect(refusals[0]).toContain('[redacted]');
    expect(refusals.at(-1)).toContain('redirects to http://[redacted].example.test/mcp');
    expect([...sinks.keys()]).toEqual(
      expect.arrayContaining([
        'file touchstone.sqlite-wal while open',
        'file touchstone.sqlite',
        'file touchstone.log',
        'file recording.jsonl while open',
        'report as csv',
        'answers of the workshop to an MCP client',
      ]),
    );
    // Until it is closed, what is new stands in the journal.
    sinks.delete('file touchstone.sqlite while open');
    for (const [sink, bytes] of sinks)
      if (
        (/sqlite|recording|report as (?:html|json)|answers/.test(sink) && bytes.length > 100_000) ||
        sink.includes('MCP client')
      )
        expect(`${sink} ${bytes.includes('[redacted]')}`).toBe(`${sink} true`);
  });

  it('is found in every encoding by the search of this test', () => {
    for (const [name, encode] of Object.entries(encodings))
      expect(`${name}: ${leaksOf([key], Buffer.from(`"${encode(key)}"`)).length > 0}`).toBe(
        `${name}: true`,
      );
  });
});
