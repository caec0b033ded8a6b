import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { judgementLines } from '../../../../src-shared/display/judgementTexts.ts';
import { escapeXml } from '../escapeText.ts';
import { openingLines } from '../opening.ts';
import type { TestCase, TestSuite, WriteFormat } from '../report.ts';

/** XML attributes; undefined ones are left out. */
const attributes = (values: Record<string, string | number | undefined>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');

/**
 * One suite per judged subject and one test per judgment: wrong results are failures, provider
 * errors are errors, and undecided ones are skipped.
 */
export const writeJunit: WriteFormat = async function* (report) {
  const { title, subject, generated, tests } = report;
  if (!tests)
    throw new ServiceError('INVALID', {
      thing: `A report of ${subject} as junit`,
      cause: 'Nothing of it is passed or failed.',
      nextStep: 'Choose another format.',
      field: 'format',
    });
  const suites = await tests();
  const sum = (name: keyof TestSuite['counts']) =>
    suites.reduce((total, { counts }) => total + counts[name], 0);
  yield (
    '<?xml version="1.0" ' +
    `encoding="UTF-8"?>\n<testsuites${attributes({ name: title, tests: sum('tests'), failures: sum('failures'), errors: sum('errors') })}>\n`
  );
  for (const [at, { name, counts, timestamp, properties, cases }] of suites.entries()) {
    yield `  <testsuite${attributes({ name, ...counts, timestamp })}>\n`;
    const own =
      at === 0
        ? [
            ...properties,
            ...(report.judgement
              ? [['check', judgementLines(report.judgement).join('\n')] as const]
              : []),
            ['verdict', openingLines(report).join('\n')] as const,
            ['generated', generated] as const,
          ]
        : properties;
    if (own.length > 0)
      yield (
        '    ' +
        `<properties>\n${own.map(([key, value]) => `      <property${attributes({ name: key, value })}/>\n`).join('')} ` +
        '   </properties>\n'
      );
    for await (const test of cases()) yield testCase(test);
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
};

function testCase({ name, classname, seconds, outcome }: TestCase): string {
  const head = `    <testcase${attributes({ name, classname, time: seconds?.toFixed(3) })}`;
  if (outcome === null) return `${head}/>\n`;
  const { kind, message, type, text } = outcome;
  // The common schema allows no attribute on skipped tests, so the reason is their text.
  if (kind === 'skipped')
    return `${head}>\n      <skipped>${escapeXml(message)}</skipped>\n    </testcase>\n`;
  const inner = `<${kind}${attributes({ message, type: type ?? kind })}`;
  return (
    `${head}>\n      ${inner}${text === undefined ? '/>' : `>${escapeXml(text)}</${kind}>`}\n  ` +
    '  </testcase>\n'
  );
}

/** A suite with few enough tests to count them right away. */
export function countedSuite(
  name: string,
  cases: readonly TestCase[],
  properties: TestSuite['properties'] = [],
): TestSuite {
  const count = (kind: string) => cases.filter(({ outcome }) => outcome?.kind === kind).length;
  return {
    name,
    properties,
    counts: {
      tests: cases.length,
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
    },
    cases: () => cases,
  };
}
