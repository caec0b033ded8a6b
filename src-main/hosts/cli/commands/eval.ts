import type { Command } from 'commander';
import type { EvaluationRequest, InlineSources } from '../../../../src-shared/domain/evaluation.ts';
import { evaluationSettings } from '../../../../src-shared/domain/evaluation.ts';
import { builtinModelName, providers } from '../../../../src-shared/domain/model.ts';
import { readToolsFile } from '../../../services/servers/toolsFile.ts';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import { exitCodes, UsageError, worst, type SetExit } from '../exitCodes.ts';
import { readInput } from '../files.ts';
import type { GlobalOptions } from '../output.ts';
import { createOutput } from '../output.ts';
import type { Client } from '../session.ts';
import { openSession, openTemporarySession } from '../session.ts';
import { evaluationShape, evaluationText } from '../shapes.ts';
import { watchToTheEnd } from '../watch.ts';
import { judgeThresholds, readThreshold } from '../thresholds.ts';

interface EvalOptions {
  suite: string;
  tools?: string;
  server?: string[];
  provider: string;
  model?: string;
  baseUrl?: string;
  repetitions?: string;
  concurrency?: string;
  record?: string;
  replay?: string;
  min?: string[];
  max?: string[];
  allowFailed?: string;
  topK?: string;
  retriever?: string;
}

export const whole = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new UsageError(`${option} ${text}: It needs a whole number.`);
  return value;
};

export function addEval(program: Command, exit: SetExit): void {
  program
    .command('eval')
    .description('runs a suite against a model and prints how well it chose')
    .requiredOption('--suite <name|file>', 'a suite of the workspace, or a suite file (- reads standard input)')
    .option('--tools <file>', 'offer the tools of this file; no server is started')
    .option('--server <name...>', 'offer the tools of these servers to every case')
    .requiredOption('--provider <provider>', providers.join(', '))
    .option('--model <model>', 'model of the provider')
    .option('--base-url <url>', 'address of a compatible endpoint')
    .option('--repetitions <n>', 'how often each case is put', '1')
    .option('--concurrency <n>', 'how many at a time', '8')
    .option('--top-k <k>', 'show the model only the best k tools for each case')
    .option('--retriever <name>', 'what ranks them: default, bm25, tfidf or hybrid')
    .option('--record <file>', 'append every exchange to this file')
    .option('--replay <file>', 'answer from this file instead of asking a model')
    .option('--min <metric=x...>', 'end with 1 where a metric is lower')
    .option('--max <metric=x...>', 'end with 1 where a metric is higher')
    .option('--allow-failed <n>', 'up to so many runs may fail without ending with 3', '0')
    .addHelpText('after', '\nExample:\n  touchstone eval --suite todo-sample --provider builtin --min selection_f1.low=0.5 --json')
    .action(async (options: EvalOptions, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const output = createOutput(globals);
      const thresholds = [...(options.min ?? []).map((text) => readThreshold(text, 'min')), ...(options.max ?? []).map((text) => readThreshold(text, 'max'))];
      const allowFailed = whole(options.allowFailed, '--allow-failed') ?? 0;
      const inline = await readInline(options);
      const session = inline.suite && inline.tools ? await openTemporarySession() : await openSession(globals, 'write');
      try {
        const request = toRequest(options, inline, await suiteIdOf(session.client, options.suite, inline));
        const plan = await session.client.evaluations.plan(request);
        for (const problem of plan.problems) if (problem.severity === 'warning') output.note(`warning: ${problem.message}`);
        const started = await session.client.evaluations.start(request);
        await watchToTheEnd(session.client, started.id, plan.runs, output);
        const evaluation = await session.client.evaluations.get({ id: started.id });
        const summary = await session.client.evaluations.summary({ id: started.id });
        const document = evaluationShape(evaluation, summary);
        output.answer(document, () => evaluationText(evaluation, summary));
        const judged = judgeThresholds(document, thresholds);
        for (const text of [...judged.failed, ...judged.notDecided]) output.error(text);
        exit(
          worst([
            summary.counts.failed > allowFailed || summary.counts.open > 0 || judged.notDecided.length > 0 ? exitCodes.incomplete : exitCodes.pass,
            judged.failed.length > 0 ? exitCodes.gateFailed : exitCodes.pass,
          ]),
        );
      } finally {
        await session.close();
      }
    });
}

const looksLikeFile = (text: string) => text === '-' || /\.(ya?ml|json)$/i.test(text);

export async function readInline(options: Pick<EvalOptions, 'suite' | 'tools' | 'server'>): Promise<InlineSources> {
  const inline: InlineSources = {};
  if (options.tools !== undefined) {
    if (options.server) throw new UsageError('eval: --tools and --server exclude each other. Choose one.');
    const { tools, rejected } = readToolsFile(await readInput(options.tools), options.tools);
    if (rejected.length > 0) {
      throw new UsageError(`${options.tools}: ${rejected.length} tools can't be offered, the first is ${rejected[0]?.name ?? ''}: ${rejected[0]?.reason ?? ''} Mend the file.`);
    }
    inline.tools = tools;
  }
  if (looksLikeFile(options.suite)) {
    const { file, problems } = readSuiteFile(await readInput(options.suite));
    const [first] = problems;
    if (!file) throw new UsageError(`${options.suite}:${first?.line ?? 1}:${first?.column ?? 1}: ${first?.message ?? 'It is no suite.'}${problems.length > 1 ? ` (${problems.length - 1} more problems: touchstone suite validate ${options.suite})` : ''}`);
    inline.suite = file;
  }
  return inline;
}

export async function suiteIdOf(client: Client, name: string, inline: InlineSources): Promise<string | null> {
  if (inline.suite) return null;
  const suite = (await client.suites.list()).find((each) => each.name === name || each.id === name);
  if (!suite) throw new UsageError(`Suite ${name}: The workspace has none of this name. \`touchstone suite list\` shows them; a file ends in .yaml or .json.`);
  return suite.id;
}

function toRequest(options: EvalOptions, inline: InlineSources, suiteId: string | null): EvaluationRequest {
  if (options.retriever !== undefined && options.topK === undefined) throw new UsageError('eval: --retriever ranks the tools of --top-k. Give --top-k K.');
  const provider = options.replay === undefined ? options.provider : 'replay';
  const model = options.model ?? (options.provider === 'builtin' ? builtinModelName : undefined);
  if (model === undefined) throw new UsageError(`eval: Provider ${options.provider} needs --model.`);
  const parsed = evaluationSettings.safeParse({
    suiteId,
    servers: options.server ?? null,
    models: [{ provider, model, baseUrl: options.baseUrl ?? null, replayFile: options.replay ?? null }],
    repetitions: whole(options.repetitions, '--repetitions'),
    concurrency: whole(options.concurrency, '--concurrency'),
    recordFile: options.record ?? null,
    topK: whole(options.topK, '--top-k') ?? null,
    retriever: options.retriever,
  });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new UsageError(`eval: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'The options do not fit together.'}`);
  }
  return inline.suite || inline.tools ? { ...parsed.data, inline } : parsed.data;
}
