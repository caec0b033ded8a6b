import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { formatsBySubject, reportFileName } from '../../../../src-shared/domain/report.ts';
import { ExportMenu as Formats } from '../../../saving/ExportMenu.tsx';
import { useSaveReport } from '../../../saving/useSaveReport.ts';

/** Exports a report of the evaluation. */
export function ExportMenu({ evaluation: { id, number, suiteName } }: { evaluation: Evaluation }) {
  const save = useSaveReport();
  return (
    <Formats
      formats={formatsBySubject.evaluation}
      pending={save.isPending}
      onChoose={({ format, short }) => {
        save.mutate({
          fileName: reportFileName(number, suiteName, format),
          content: { from: 'evaluation', report: { id, format, short, stamp: null } },
        });
      }}
    />
  );
}
