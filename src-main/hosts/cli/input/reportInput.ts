import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import {
  baselineProblems,
  mismatches,
  noReferences,
  type JudgedBy,
  type References,
} from '../../../services/checks/judgeReports.ts';
import { noRenames } from '../../../services/checks/renames.ts';
import { readReportFile } from '../../../services/checks/readReportFile.ts';
import type { ReportedModel } from '../../../services/checks/reportFile.ts';
import type { NamedReport } from '../../../services/checks/reportSides.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { reportTexts } from '../output/reportFiles.ts';
import type { Client } from '../session.ts';
import { readInput } from './files.ts';
import { otherFileText } from './otherFile.ts';
import { findEvaluation } from './findEvaluation.ts';
import { readRenames, type BaselineOptions } from './gateOptions.ts';

/** True for a file, - or a name that ends as a JSON report does; false for an evaluation. */
export const namesReportFile = (text: string): boolean =>
  text === '-' || /\.json(\/\d+)?$/i.test(text) || existsSync(text);

/** A file that is there, and isn't a report that this program reads. */
class UnusableReport extends UsageError {}

const howToWriteOne = 'Write one with eval --report FILE.json or export --to json.';

/** Throws a UsageError that names what the file is instead of a report, if that is known. */
function refuseOther(text: string, file: string): void {
  const other = otherFileText(text, { role: 'report', kind: 'a JSON report' }, file);
  if (other !== null) throw new UnusableReport(`${file}: ${other}`);
}

export function parseDocument(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    refuseOther(text, file);
    throw new UnusableReport(
      `${file}: It isn't valid JSON (${errorText(error)}). Give a JSON report. ${howToWriteOne}`,
    );
  }
}

/** The report of an evaluation; null if the document is something else. */
export function asEvaluationReport(document: unknown, file: string): NamedReport | null {
  try {
    const report = readReportFile(document);
    return report && { name: file, isFile: true, report };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const { version } = document as { version?: unknown };
    throw new UnusableReport(
      issue?.path[0] === 'version'
        ? `${file}: Its format has version ${String(version)}, which this version of Touchstone doesn't ` +
            'read. Write it again with this version.'
        : `${file}: ${issue?.path.join('.') ?? ''}: ${asSentence(issue?.message ?? '')} The report lacks what a ` +
            'comparison needs; an earlier version may have written it. Write it again.',
    );
  }
}

export async function readEvaluationReport(file: string, io: CommandIo): Promise<NamedReport> {
  const text = await readInput(file, io);
  const found = asEvaluationReport(parseDocument(text, file), file);
  if (found === null) refuseOther(text, file);
  if (found === null)
    throw new UnusableReport(
      `${file}: It isn't the JSON report of an evaluation. ${howToWriteOne}`,
    );
  return found;
}

/** The report of an evaluation of the workspace, as `export --to json` writes it. */
export async function readStoredReport(
  client: Client,
  { id }: { id: string },
): Promise<NamedReport> {
  let text = '';
  for await (const part of reportTexts(client, { id, format: 'json' })) text += part;
  const report = readReportFile(JSON.parse(text));
  if (report === null) throw new Error(`Evaluation ${id} has no report.`);
  return { name: `#${report.number}`, isFile: false, report };
}

export async function readAnyReport(name: string, context: CommandContext): Promise<NamedReport> {
  if (namesReportFile(name)) return readEvaluationReport(name, context.io);
  return inSession(context, 'read', async ({ client }) =>
    readStoredReport(client, await findEvaluation(client, name, context)),
  );
}

/** What a result is held against, or why it starts a new baseline. */
export type Held = References;

export const heldAgainstNothing: Held = noReferences;

/**
 * Holds a result against a baseline that has no problems with it. With --new-baseline, the problems
 * are kept for the reports; without it, throws a UsageError that lists all of them.
 *
 * @param subject what the result is called
 */
export function holdAgainst(
  subject: string,
  baseline: NamedReport,
  problems: readonly string[],
  { newBaseline = false }: Pick<BaselineOptions, 'newBaseline'>,
): Pick<Held, 'baseline' | 'incomparable'> {
  if (problems.length === 0) return { baseline, incomparable: null };
  const { name } = baseline;
  if (newBaseline) return { baseline: null, incomparable: { name, differences: [...problems] } };
  throw new UsageError(
    [
      `${subject} and ${name}: They can't be compared.`,
      ...problems.map((text) => `  ${text}`),
      'Make a new baseline: --new-baseline goes on without this one and says what differs. If only ' +
        'cases differ, --allow-changed-cases compares the ones that both share.',
    ].join('\n'),
  );
}

/** Reads the baseline of a command; with --new-baseline, one in an unknown format is held as such. */
async function readBaseline(
  named: string | undefined,
  { newBaseline = false }: Pick<BaselineOptions, 'newBaseline'>,
  context: CommandContext,
): Promise<Held> {
  if (named === undefined) return heldAgainstNothing;
  try {
    return {
      ...heldAgainstNothing,
      baseline: await readAnyReport(named, context),
      incomparable: null,
    };
  } catch (error) {
    if (!(error instanceof UnusableReport)) throw error;
    if (!newBaseline)
      throw new UsageError(`${error.message} Or give --new-baseline, which goes on without it.`);
    const differs = error.message.replace(`${named}: `, '');
    return { ...heldAgainstNothing, incomparable: { name: named, differences: [differs] } };
  }
}

/** Reads what a command holds a result against. */
export async function readHeld(
  options: Pick<BaselineOptions, 'newBaseline' | 'release'> & {
    against?: string | undefined;
    renamed?: string[] | undefined;
  },
  context: CommandContext,
): Promise<Held> {
  const { release } = options;
  return {
    ...(await readBaseline(options.against, options, context)),
    release: release === undefined ? null : await readAnyReport(release, context),
    renames: { ...noRenames, renames: readRenames(options.renamed) },
  };
}

/** Holds a report against what was read; a release is compared over the cases that both share. */
export function holdReport(
  now: NamedReport,
  name: string,
  held: Held,
  how: JudgedBy,
  options: Pick<BaselineOptions, 'newBaseline'>,
): Held {
  const { baseline, release, renames } = held;
  const problemsOf = (one: NamedReport, terms: JudgedBy) => [
    ...baselineProblems(one, how),
    ...mismatches(one, now, terms, renames),
  ];
  if (release)
    holdAgainst(name, release, problemsOf(release, { ...how, allowChangedCases: true }), {});
  if (!baseline) return held;
  return { ...held, ...holdAgainst(name, baseline, problemsOf(baseline, how), options) };
}

/** `main.json/2` or `14/2`: a name and the place of a model, counted from 1. */
export function splitPlace(text: string): { name: string; place: number | null } {
  const [, name = text, place] = existsSync(text) ? [] : (/^(.+)\/(\d+)$/.exec(text) ?? []);
  return { name, place: place === undefined ? null : Number(place) };
}

/** The chosen model of a report, or its only one. */
export function chooseModel({ name, report }: NamedReport, place: number | null): ReportedModel {
  const { models } = report;
  const [only] = models;
  const chosen = place === null ? (models.length === 1 ? only : undefined) : models[place - 1];
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    place === null
      ? `${name}: It has ${models.length} models, and their runs can't be mixed in a comparison. ` +
          `Choose one by ${name}/1 to ${name}/${models.length}.`
      : `${name}/${place}: It has ${models.length} models. Count from 1.`,
  );
}
