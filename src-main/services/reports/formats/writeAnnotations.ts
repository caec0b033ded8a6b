import { escapeInvisible } from '../../../../src-shared/domain/visibleText.ts';
import { cutText } from '../escapeText.ts';
import type { Alert, WriteFormat } from '../report.ts';

/** What a step of GitHub Actions shows of each level. */
export const maxAnnotations = 10;
const maxMessageLength = 1_000;

/**
 * Workflow commands, a line each: what has to be looked at, and in the last one how much more there
 * is.
 */
export const writeAnnotations: WriteFormat = async function* ({ alerts, title }) {
  const shown: Alert[] = [];
  let omitted = 0;
  for await (const alert of alerts()) {
    if (shown.length < maxAnnotations) shown.push(alert);
    else omitted += 1;
  }
  if (omitted > 0) {
    // The last place tells of those that have none.
    shown.pop();
    shown.push({ level: 'notice', title, message: `${omitted + 1} more: the report names them.` });
  }
  for (const { level, title: head, message } of shown)
    yield `::${level} title=${escapeProperty(cutText(head, 200))}::${escapeData(cutText(message, maxMessageLength))}\n`;
};

/** A line break would end the command, and what follows it would be one of its own. */
const escapeData = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const visible = (text: string): string => escapeInvisible(text);
