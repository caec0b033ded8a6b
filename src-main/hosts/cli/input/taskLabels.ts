import { z } from 'zod';
import { UsageError } from '../exitCodes.ts';

const line = z.strictObject({
  run: z.string().min(1),
  /** For people who read the file. */
  task: z.string().optional(),
  /** Only needed where a task has several judge checks. */
  check: z.string().min(1).optional(),
  label: z.enum(['yes', 'no']),
});

/** Labels as the service takes them. */
interface Label {
  runId: string;
  checkId: string | null;
  label: boolean;
}

/** Reads labels, one JSON object per line. Throws UsageError with the first line that is none. */
export function readLabels(file: string, text: string): Label[] {
  const labels = text.split('\n').flatMap((each, index): Label[] => {
    if (each.trim() === '') return [];
    const at = `${file}, line ${index + 1}`;
    let value: unknown;
    try {
      value = JSON.parse(each);
    } catch {
      throw new UsageError(`${at}: It isn't JSON.`);
    }
    const read = line.safeParse(value);
    if (!read.success)
      throw new UsageError(
        `${at}: A label has the form {"run": "…", "label": "yes"}, with "no" for a run that ` +
          'does not meet the rubric.',
      );
    const { run, check = null, label } = read.data;
    return [{ runId: run, checkId: check, label: label === 'yes' }];
  });
  if (labels.length === 0) throw new UsageError(`${file}: It has no label.`);
  return labels;
}
