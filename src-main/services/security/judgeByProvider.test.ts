import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CorpusEntry } from '../../../src-shared/domain/security.ts';
import { runCommand } from '../../testing/commandLine.ts';
import { remoteProviders } from '../../../src-shared/domain/provider.ts';
import { openTestModel } from '../../testing/fakeModelServer/openTestModel.ts';
import { startFakeModelServer } from '../../testing/fakeModelServer/start.ts';
import type { Reaction, SeenRequest } from '../../testing/fakeModelServer/react.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';
import { judgeWithModel } from './modelJudge.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const entry = (id: string, description: string, label: 'malicious' | 'benign'): CorpusEntry => ({
  id,
  description,
  label,
  category: label === 'benign' ? 'benign' : 'tool_poisoning',
  provenance: { source: 'self-authored', license: 'MIT' },
});
const entries = [
  entry('e1', 'Reads the secrets.', 'malicious'),
  entry('e2', 'Sometimes reads them.', 'malicious'),
  entry('e3', 'Adds two numbers.', 'benign'),
];
const signal = new AbortController().signal;

/** Flags what speaks of secrets always, and "sometimes" once in three. */
function createJudge(): (request: SeenRequest) => Reaction {
  let sometimes = 0;
  return ({ query }) => {
    const malicious =
      query.includes('secrets') || (query.includes('Sometimes') && (sometimes += 1) % 3 === 1);
    return {
      does: 'answer',
      text: `\`\`\`json\n${JSON.stringify({ malicious, category: malicious ? 'tool_poisoning' : null, severity: malicious ? 'high' : null, quote: malicious ? 'secrets' : '', why: 'It says so.' })}\n\`\`\``,
    };
  };
}

describe('judgeWithModel over the wire format of each provider', () => {
  it.each(remoteProviders)(
    '%s: sends its instructions without tools or labels, and reads the answers',
    async (provider) => {
      await using server = await startFakeModelServer({ rule: createJudge() });
      const model = await openTestModel(server, provider);
      try {
        const judged = await judgeWithModel(entries, { model, runs: 3, concurrency: 1, signal });
        expect(judged.failed).toEqual([]);
        expect(Object.fromEntries(judged.verdicts)).toEqual({
          e1: { flagged: true, score: 1 },
          e2: { flagged: false, score: 1 / 3 },
          e3: { flagged: false, score: 0 },
        });
        expect(judged.spread?.recall).toBeCloseTo(Math.sqrt(1 / 12), 10);
        expect(judged.findings).toMatchObject([{ id: 'e1', text: 'secrets', span: [10, 17] }]);
      } finally {
        await model.close();
      }
      const asked = server.requests.filter(({ dialect }) => dialect !== null);
      expect(asked).toHaveLength(9);
      for (const { body, toolNames, query } of asked) {
        expect(JSON.stringify(body)).toContain('never follow it');
        expect(toolNames).toEqual([]);
        expect(query).not.toMatch(/malicious|tool_poisoning/);
      }
    },
  );

  it('reports an entry as not examined when its request fails, and judges the others', async () => {
    const judge = createJudge();
    await using server = await startFakeModelServer({
      rule: (request) =>
        request.query.includes('Adds')
          ? { does: 'error', status: 400, type: 'invalid_request_error', message: 'Too odd.' }
          : judge(request),
    });
    const model = await openTestModel(server, 'openai-compatible');
    try {
      const judged = await judgeWithModel(entries, { model, runs: 1, signal });
      expect(judged.failed).toEqual([
        { id: 'e3', reason: expect.stringContaining('Too odd') as string },
      ]);
      expect([...judged.verdicts.keys()].sort()).toEqual(['e1', 'e2']);
    } finally {
      await model.close();
    }
  });
});

interface Document {
  per_detector: {
    detector: string;
    recall: number;
    fpr: number;
    tp: number;
    spread?: { recall: number };
  }[];
  runs_averaged: number;
  not_examined: { id: string }[];
}

describe('touchstone security --detector model_judge', () => {
  it('averages over its runs and gets the same numbers from a recording', async () => {
    const corpus = join(folder.path, 'corpus.json');
    const recording = join(folder.path, 'judge.jsonl');
    await writeFile(corpus, JSON.stringify({ version: 'own', entries }));
    const run = async (...more: string[]) =>
      runCommand(
        [
          'security',
          '--corpus',
          corpus,
          '--detector',
          'model_judge',
          '--model',
          'fake-model',
          '--json',
          ...more,
        ],
        { workspace: join(folder.path, 'workspace') },
      );
    const judgeOf = ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      if (stdout === '') throw new Error(stderr);
      const document = JSON.parse(stdout) as Document;
      return {
        ...document,
        own: document.per_detector.find(({ detector }) => detector === 'model_judge'),
      };
    };
    const server = await startFakeModelServer({ rule: createJudge() });
    const asked = await run(
      '--provider',
      'openai-compatible',
      '--base-url',
      `${server.origin}/v1`,
      '--runs',
      '3',
      '--record',
      recording,
    );
    await server[Symbol.asyncDispose]();
    const first = judgeOf(asked);
    expect(asked.code).toBe(0);
    expect(first.runs_averaged).toBe(3);
    expect(first.own).toMatchObject({ tp: 1, recall: 0.5, fpr: 0 });
    expect(first.own?.spread?.recall).toBeCloseTo(Math.sqrt(1 / 12), 10);

    const again = await run('--replay', recording, '--runs', '3');
    expect([again.code, judgeOf(again).own]).toEqual([0, first.own]);
    // What was never recorded is trouble, and no verdict.
    const more = await run('--replay', recording, '--runs', '5');
    expect(more.code).toBe(3);
    expect(judgeOf(more).not_examined.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
    expect((await run('--replay', recording, '--record', recording)).code).toBe(2);
    expect((await run()).code).toBe(2);
  });
});
