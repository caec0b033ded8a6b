import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { Judgement, UnscoredGroup } from '../../../src-shared/domain/judgement.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { refusedLines } from '../../../src-shared/domain/refusedSetting.ts';
import type { SentToolsOfModel } from '../../../src-shared/domain/sentTools.ts';
import type { TaskEvaluation } from '../../../src-shared/domain/taskEvaluation.ts';
import {
  isWorthShowing,
  judgementLines,
  unscoredText,
} from '../../../src-shared/display/judgementTexts.ts';
import { counted } from '../../../src-shared/display/numbers.ts';
import type { Shard } from '../../../src-shared/domain/shard.ts';
import { gateNumbers } from '../../../src-shared/metrics/gateNumbers.ts';
import { withHidden } from '../../services/clients/judgeHidden.ts';
import { judgeReport, type JudgedBy } from '../../services/checks/judgeReports.ts';
import { evaluationHead, failedRuns } from '../../services/reports/documents/evaluationDocument.ts';
import {
  judgementDocument,
  unscoredDocument,
} from '../../services/reports/documents/judgementDocument.ts';
import { publish } from '../../services/reports/documents/published.ts';
import { sentToolsOfModelDocument } from '../../services/reports/documents/sentToolsDocument.ts';
import { tasksDocument } from '../../services/reports/documents/tasksDocument.ts';
import { judge } from '../../services/results/judge.ts';
import { unscoredTasks } from '../../services/tasks/unscoredTasks.ts';
import type { CommandContext } from './commandContext.ts';
import { exitCodeOfJudgement } from './exitCodes.ts';
import { readStoredReport, type Held } from './input/reportInput.ts';
import {
  modelsShape,
  modelsText,
  readModelNumbers,
  type ModelNumbers,
} from './output/modelShapes.ts';
import type { Output } from './output/output.ts';
import { reportTexts, writeReports, type PlannedReport } from './output/reportFiles.ts';
import { noteSentTools } from './output/sentTools.ts';
import { evaluationText } from './output/shapes.ts';
import { tasksText } from './output/tasksText.ts';
import type { Client } from './session.ts';

/** An evaluation that has ended, what it is held against, and where its result goes. */
interface EndedJob extends Held {
  unit: EvaluationUnit;
  id: string;
  judgedBy: JudgedBy;
  /** In place of version and time in reports. */
  stamp: string | undefined;
  /** False if it ran on files, so that nobody can find it again. */
  isKept: boolean;
  /** The evaluations that asked some of it again. */
  askedAgain?: readonly string[];
  /** Whether the tools came from a file; left out where that is not known. */
  isSnapshot?: boolean;
  /** Tasks of the suite that a check of its cases leaves out. */
  uncheckedTasks?: number;
  reports: readonly PlannedReport[];
}

/** What a command says of an ended evaluation. */
interface Answer {
  evaluation: Evaluation | TaskEvaluation;
  sent: readonly SentToolsOfModel[];
  judgement: Judgement;
  document: object;
  text: () => string;
}

/** Prints the result, judges it, writes its reports and sets the exit code. */
export async function answerEvaluation(
  client: Client,
  job: EndedJob,
  context: CommandContext,
): Promise<void> {
  const { io, output } = context;
  const answer = await (job.unit === 'task' ? answerTasks : answerCases)(client, job);
  const { evaluation, judgement } = answer;
  const { shard } = evaluation.settings;
  output.answer(answer.document, answer.text);
  noteSentTools(answer.sent, context);
  if (job.isSnapshot === true)
    output.note(
      'The tools are a snapshot: no server was started. Give servers to test a living one.',
    );
  if (!job.isKept)
    output.note(
      'This evaluation ran on files and was not saved in a workspace. Use --report FILE to keep its results.',
    );
  for (const line of refusedLines(
    evaluation.models.map((model) => ({ ...model, label: modelLabel(model) })),
  ))
    output.note(line);
  printJudgement(judgement, output);
  if (shard !== null) output.note(partNote(shard));
  io.setExitCode(exitCodeOfJudgement(judgement));
  await writeReports(
    (format, short) =>
      reportTexts(client, {
        ...{ id: job.id, stamp: job.stamp ?? null, format, short },
        ...(isWorthShowing(judgement) && { judgement }),
      }),
    job.reports,
    context,
  );
}

const unsaved = { evaluation_id: null, number: null };

async function answerCases(client: Client, job: EndedJob): Promise<Answer> {
  const { id, isKept, stamp } = job;
  const evaluation = await client.evaluations.get({ id });
  const summary = await client.evaluations.summary({ id });
  // With a stamp, the answer is the same each time, like the reports.
  if (stamp !== undefined) summary.durationMs = null;
  const verdict = await client.results.verdict({ id });
  const models = await readModelNumbers(client, evaluation);
  const sent = await client.evaluations.sentTools({ id });
  const failures = await client.results.failures({ id });
  const judgement = {
    ...(await judgeClients(client, job, await judgeCases(client, evaluation, models, job))),
    ...(job.uncheckedTasks !== undefined && { uncheckedTasks: job.uncheckedTasks }),
  };
  const shown = isWorthShowing(judgement) ? judgement : null;
  return {
    evaluation,
    sent,
    judgement,
    document: {
      ...evaluationHead(evaluation, summary, verdict),
      ...(isKept ? {} : unsaved),
      failed_runs: failedRuns(failures),
      ...(models.models.length > 0 && modelsShape(models)),
      sent_tools: sent.map((each) => publish(sentToolsOfModelDocument, each)),
      unscored: judgement.unscored.map((group) => publish(unscoredDocument, group)),
      check: shown && publish(judgementDocument, shown),
    },
    // One cause, one line: why runs are not scored is listed after the result.
    text: () =>
      evaluationText(
        {
          evaluation: isListed(evaluation.reason, judgement)
            ? { ...evaluation, reason: null }
            : evaluation,
          summary,
          verdict,
          failures,
        },
        isKept,
      ) + modelsText(models),
  };
}

/** What clients hide of the tools that were tested decides too, if there is a limit. */
async function judgeClients(
  client: Client,
  { unit, id, judgedBy: { hidden } }: EndedJob,
  judgement: Judgement,
): Promise<Judgement> {
  if (hidden === undefined) return judgement;
  const snapshot = await client.evaluations.snapshot({ unit, id });
  return withHidden(
    judgement,
    {
      tools: snapshot?.tools ?? [],
      rejected: snapshot?.servers.flatMap(({ rejected }) => rejected) ?? [],
    },
    hidden,
  );
}

const isListed = (reason: string | null, { unscored }: Judgement): boolean =>
  reason !== null && unscored.some(({ message }) => message?.includes(reason));

async function judgeCases(
  client: Client,
  { id, outcomes, settings: { shard } }: Evaluation,
  { models }: ModelNumbers,
  job: EndedJob,
): Promise<Judgement> {
  const { judgedBy } = job;
  const unscored = await unscoredOf(client, [id, ...(job.askedAgain ?? [])]);
  const { counts, ...summary } = await client.evaluations.summary({ id });
  const unscoredRuns = outcomes.not_scored + outcomes.not_run;
  if (shard !== null) return judgePart(unscoredRuns, unscored, judgedBy);
  if (job.baseline !== null || job.release !== null)
    return judgeReport(await readStoredReport(client, { id }), job, judgedBy, unscored);
  return judge({
    models:
      judgedBy.pooled || models.length === 0
        ? [{ model: null, numbers: gateNumbers({ ...summary, counts }) }]
        : models.map((each) => ({ model: each.label, numbers: gateNumbers(each.summary) })),
    thresholds: judgedBy.thresholds,
    unscoredRuns,
    allowFailed: judgedBy.allowFailed,
    unscored,
    baseline: null,
    isCheck: judgedBy.isCheck ?? false,
    incomparable: job.incomparable,
  });
}

/** Why runs of several evaluations have no score: one cause is one group. */
async function unscoredOf(client: Client, ids: readonly string[]): Promise<UnscoredGroup[]> {
  return joinGroups((await Promise.all(ids.map((id) => client.results.unscored({ id })))).flat());
}

function joinGroups(groups: readonly UnscoredGroup[]): UnscoredGroup[] {
  const joined = Map.groupBy(groups, ({ failure, message }) => JSON.stringify([failure, message]));
  return [...joined.values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({
      ...first,
      runs: same.reduce((sum, { runs }) => sum + runs, 0),
      cases: [...new Set(same.flatMap(({ cases }) => cases))],
    })),
  );
}

async function answerTasks(client: Client, job: EndedJob): Promise<Answer> {
  const { id, isKept, stamp, judgedBy } = job;
  const report = await client.evaluations.report({ id });
  if (stamp !== undefined) Object.assign(report.evaluation, { startedAt: null, completedAt: null });
  const { evaluation, sentTools } = report;
  const { shard } = evaluation.settings;
  const again = await Promise.all(
    (job.askedAgain ?? []).map((other) => client.evaluations.report({ id: other })),
  );
  const unscored = joinGroups([report, ...again].flatMap(unscoredTasks));
  const judgement =
    shard === null
      ? await judgeClients(
          client,
          job,
          judgeReport(await readStoredReport(client, { id }), job, judgedBy, unscored),
        )
      : judgePart(
          unscored.reduce((sum, { runs }) => sum + runs, 0),
          unscored,
          judgedBy,
        );
  const shown = isWorthShowing(judgement) ? judgement : null;
  return {
    evaluation,
    sent: sentTools,
    judgement,
    document: {
      ...publish(tasksDocument, report),
      check: shown && publish(judgementDocument, shown),
      unscored: judgement.unscored.map((group) => publish(unscoredDocument, group)),
      ...(isKept ? {} : unsaved),
    },
    text: () => tasksText(report, isKept),
  };
}

/**
 * A part has too few cases or tasks to be judged by itself: it only says whether all of them have a
 * score.
 */
const judgePart = (
  unscoredRuns: number,
  unscored: UnscoredGroup[],
  { allowFailed }: JudgedBy,
): Judgement =>
  judge({ models: [], thresholds: [], unscoredRuns, allowFailed, unscored, baseline: null });

/** Reasons that the terminal lists; JSON has all of them. */
const maxReasons = 10;

/** Says why runs have no score, and what the result was held against. */
function printJudgement(judgement: Judgement, output: Output): void {
  for (const group of judgement.unscored.slice(0, maxReasons))
    output.error(`Not scored: ${unscoredText(group)}`);
  const more = judgement.unscored.length - maxReasons;
  if (more > 0) output.error(`Not scored: ${counted(more, 'more reason')}; --json lists them.`);
  const [headline, ...reasons] = judgementLines({ ...judgement, unscored: [] });
  if (judgement.result !== 'passed') output.error([headline, ...reasons].join('\n  '));
  else if (isWorthShowing(judgement)) output.note([headline, ...reasons].join('\n  '));
}

/** Why the result of a part has no verdict. */
const partNote = ({ index, of }: Shard): string =>
  `Part ${index} of ${of}: \`touchstone merge\` judges all parts together.`;
