import { runColumns } from '../../../../src-shared/domain/runColumns.ts';
import type { RunRow } from '../../../../src-shared/domain/evaluation.ts';
import { causeTexts } from '../../../../src-shared/display/judgementTexts.ts';
import { actualText, expectedText } from '../../../../src-shared/display/differenceTexts.ts';
import { outcomeTexts } from '../../../../src-shared/display/outcomeTexts.ts';
import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import type { Cell, Mark, ReportTable } from '../report.ts';
import { caseRunDocument, recountNames, type CaseRun } from '../documents/caseRunDocument.ts';
import { runsOf } from '../documents/evaluationDocument.ts';
import { againColumns } from './againColumns.ts';
import { nameModels } from '../../evaluations/read/nameModels.ts';
import type { MeasuredRun, ReportSource } from './reportSource.ts';
import { field, fieldsOf, tableOf, type Field } from './tableOf.ts';

/** What differs in the calls of a failed run, call by call. */
export const whatDiffers = ({ differences }: Pick<MeasuredRun, 'differences'>): string =>
  differences.map(({ text }) => text).join('; ');

/** The runs as people read them; columns that are the same for all runs are left out. */
export function casesTable(source: ReportSource): ReportTable {
  const { evaluation, models, summary } = source;
  const labels = nameModels(models.map(({ settings }) => settings));
  const indexOf = new Map(summary.confusion.labels.map((label, index) => [label, index]));
  const severalModes = Object.values(source.modes).filter((cases) => cases > 0).length > 1;
  return tableOf<MeasuredRun>(
    'Cases',
    () => source.runs(),
    [
      field('named', 'Case', 'case', ({ caseKey, caseName }) => ({ id: caseKey, name: caseName })),
      field('text', 'Query', 'query', ({ query }) => query),
      models.length > 1 &&
        field('text', 'Model', 'model', ({ modelSettingsId }) => labels.get(modelSettingsId) ?? ''),
      evaluation.settings.repetitions > 1 &&
        field('number', 'No.', 'repetition', ({ repetition }) => repetition),
      field('code', 'Expected', 'expected', ({ expected }) => expected),
      field('code', 'Called', 'called', ({ selected }) => selected),
      field('text', 'What differs', 'differences', (run) =>
        run.differences.map(({ text }) => text),
      ),
      severalModes && field('word', 'Arguments mode', 'arguments_mode', (run) => run.argumentsMode),
      field('mark', 'Outcome', 'outcome', markOf),
      ...runColumns.flatMap(({ name, value, report }): Field<MeasuredRun>[] =>
        report === undefined ? [] : [field('number', report.title, name, value, report)],
      ),
    ],
    {
      main: true,
      row: ({ units, outcome }) => ({
        units: units
          .map(
            ({ expected, selected }) =>
              `${indexOf.get(expected) ?? -1}-${indexOf.get(selected) ?? -1}`,
          )
          .join(' '),
        important: outcome !== 'passed',
      }),
    },
  );
}

/** The outcome of a run, with the reason when it was not scored. */
function markOf({ outcome, classification, status, failure, errorMessage }: RunRow): Mark {
  const { glyph, label } = outcomeTexts[outcome];
  const note = status === 'failed' && failure !== null ? failureTexts[failure] : classification;
  return {
    sign: glyph,
    word: label,
    name: outcome,
    tone: outcome,
    ...(outcome === 'not_scored' && status === 'completed'
      ? { note: causeTexts.schema }
      : note === null
        ? {}
        : { note }),
    ...(outcome === 'not_scored' && errorMessage !== null ? { text: errorMessage } : {}),
  };
}

/** All fields of every run; the content of CSV. */
export function runReportTable(source: ReportSource): ReportTable {
  const { evaluation } = source;
  const labels = nameModels(evaluation.models);
  const column = (
    name: string,
    kind: 'text' | 'code' | 'word',
    value: (run: CaseRun) => Cell,
  ): Field<CaseRun> => field(kind, name, name, value);
  return tableOf('Runs', () => runsOf(source), [
    column('evaluation', 'word', () => evaluation.number),
    column('suite', 'text', () => evaluation.suiteName),
    ...fieldsOf(caseRunDocument, 'case_id', 'name', 'query', 'tags'),
    column('model', 'text', ({ modelSettingsId }) => labels.get(modelSettingsId) ?? ''),
    ...fieldsOf(caseRunDocument, 'repetition', 'attempt', 'status', 'outcome', 'classification'),
    ...fieldsOf(caseRunDocument, 'passed', 'expected', 'called'),
    column('units', 'code', ({ units }) =>
      units.map(({ expected, selected }) => `${expected} → ${selected}`),
    ),
    column('differences', 'text', whatDiffers),
    column('expected_calls', 'text', ({ differences }) => differences.map(expectedText)),
    column('actual_calls', 'text', ({ differences }) => differences.map(actualText)),
    ...runColumns.map(({ name, value }) => column(name, 'word', value)),
    ...fieldsOf(caseRunDocument, ...recountNames),
    ...againColumns(source.askedAgain).map(({ name, value }) => column(name, 'word', value)),
    ...fieldsOf(caseRunDocument, 'failure', 'error', 'run_id'),
  ]);
}
