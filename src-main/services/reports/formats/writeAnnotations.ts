import { escapeInvisible } from '../../../../src-shared/display/visibleText.ts';
import { cutText } from '../escapeText.ts';
import type { Alert, WriteFormat } from '../report.ts';

/** GitHub Actions shows ten annotations of each level per step. */
export const maxAnnotations = 10;
const maxMessageLength = 1_000;

/** Workflow commands, one per line; the last one says how many alerts were left out. */
export const writeAnnotations: WriteFormat = async function* ({ alerts, title }) {
  const shown: Alert[] = [];
  let omitted = 0;
  for await (const alert of alerts()) {
    if (shown.length < maxAnnotations) shown.push(alert);
    else omitted += 1;
  }
  if (omitted > 0) {
    // The last annotation reports the omitted ones, so it replaces one of them.
    shown.pop();
    shown.push({ level: 'notice', title, message: `${omitted + 1} more: the report names them.` });
  }
  for (const { level, title: head, message } of shown)
    yield (
      `::${level} ` +
      `title=${escapeProperty(cutText(head, 200))}::${escapeData(cutText(message, maxMessageLength))}\n`
    );
};

/** Escaped, because a line break would end the command and start another one. */
const escapeData = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
const visible = (text: string): string => escapeInvisible(text);
