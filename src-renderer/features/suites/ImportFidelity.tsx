import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import { skippedPlace } from '../../../src-shared/display/suiteTexts.ts';
import { Group, Stack, Text } from '@mantine/core';
import type { ImportReport } from '../../../src-shared/contract/suites.ts';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import classes from './ImportPage.module.css';

const shownLines = 200;

/**
 * How completely the cases of a foreign file were imported: exact, approximated, or skipped, each
 * with its reason.
 */
export function ImportFidelity({ report }: { report: ImportReport }) {
  const nearly = new Set(report.approximated.map((each) => each.case)).size;
  return (
    <Stack gap="sm">
      <Group gap="md">
        <StatusBadge tone="good" label={`${formatCount(report.exact)} exact`} />
        <StatusBadge
          tone={nearly > 0 ? 'warning' : 'idle'}
          label={`${formatCount(nearly)} approximated`}
        />
        <StatusBadge
          tone={report.skipped.length > 0 ? 'bad' : 'idle'}
          label={`${formatCount(report.skipped.length)} skipped`}
        />
      </Group>
      {report.unreadFields.length > 0 && (
        <Text size="sm" className="ts-foreign">
          Fields of the file that aren’t imported:{' '}
          <PlainText text={report.unreadFields.join(', ').slice(0, 600)} />.
        </Text>
      )}
      {report.assumedServer !== null && (
        <Text size="sm">
          Tools without a server in the file are assigned to “
          <PlainText text={report.assumedServer} />
          ”.
        </Text>
      )}
      <Lines label="Approximated" lines={casesByNote(report.approximated)} />
      <Lines
        label="Skipped"
        lines={report.skipped.map((each) => ({ name: skippedPlace(each), text: each.why }))}
      />
      <p className="ts-hint ts-mono ts-foreign">
        {report.converter} · SHA-256 {report.sourceHash.slice(0, 16)}…
      </p>
    </Stack>
  );
}

/** Each note once: what holds for many cases, such as a column without a role, is one line. */
function casesByNote(approximated: ImportReport['approximated']): { name: string; text: string }[] {
  const cases = new Map<string, string[]>();
  for (const { case: name, what, why } of approximated) {
    const text = `${what}: ${why}`;
    const known = cases.get(text);
    if (known === undefined) cases.set(text, [name]);
    else known.push(name);
  }
  return [...cases].map(([text, names]) => ({
    name: names.length === 1 ? (names[0] ?? '') : counted(names.length, 'case'),
    text,
  }));
}

function Lines({ label, lines }: { label: string; lines: { name: string; text: string }[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <ul className={classes.problems} tabIndex={0} aria-label={label}>
        {lines.slice(0, shownLines).map(({ name, text }, index) => (
          <li key={index} className={classes.wide}>
            <PlainText as="span" className="ts-mono ts-foreign" text={name.slice(0, 120)} />
            <PlainText as="span" className="ts-foreign" text={text.slice(0, 600)} />
          </li>
        ))}
      </ul>
      {lines.length > shownLines && (
        <p className="ts-quiet">And {counted(lines.length - shownLines, 'more line')}.</p>
      )}
    </div>
  );
}
