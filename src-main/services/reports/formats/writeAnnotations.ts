import { escapeInvisible } from '../../../../src-shared/domain/visibleText.ts';
import { cutText } from '../escapeText.ts';
import type { Alert, WriteFormat } from '../report.ts';

/** What a step of GitHub Actions shows of each level. */
export const maxAnnotations = 10;
const maxMessage = 1_000;

/**
 * Workflow commands, a line each: what has to be looked at, and in the last one how much more there
 * is.
 */
export const writeAnnotations: WriteFormat = async function* ({ alerts, title }) {
  const shown: Alert[] = [];
  let more = 0;
  for await (const alert of alerts()) {
    if (shown.length < maxAnnotations) shown.push(alert);
    else more += 1;
  }
  if (more > 0) {
    // The last place tells of those that have none.
    shown.pop();
    shown.push({ level: 'notice', title, message: `${more + 1} more: the report names them.` });
  }
  for (const { level, title: head, message } of shown)
    yield `::${level} title=${property(cutText(head, 200))}::${data(cutText(message, maxMessage))}\n`;
};

/** A line break would end the command, and what follows it would be one of its own. */
const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const visible = (text: string): string => escapeInvisible(text);
