import { expect } from 'vitest';
import type { XmlElement } from './readXml.fixture.ts';

/** What the common schema of JUnit allows of each element: attributes (required ones marked), and children in this order. */
const rules: Readonly<Record<string, { attributes: readonly string[]; children: readonly string[] }>> = {
  testsuites: { attributes: ['name', 'tests', 'failures', 'errors', 'skipped', 'time'], children: ['testsuite'] },
  testsuite: { attributes: ['name!', 'tests!', 'failures!', 'errors!', 'skipped', 'timestamp', 'time', 'hostname', 'id', 'package'], children: ['properties', 'testcase', 'system-out', 'system-err'] },
  properties: { attributes: [], children: ['property'] },
  property: { attributes: ['name!', 'value!'], children: [] },
  testcase: { attributes: ['name!', 'classname!', 'time', 'assertions', 'status'], children: ['skipped', 'error', 'failure', 'system-out', 'system-err'] },
  failure: { attributes: ['message', 'type!'], children: [] },
  error: { attributes: ['message', 'type!'], children: [] },
  skipped: { attributes: ['message'], children: [] },
};

export function checkJunit(root: XmlElement): void {
  expect(root.name).toBe('testsuites');
  checkElement(root);
  const sum = (elements: readonly XmlElement[], name: string) => elements.reduce((total, { attributes }) => total + Number(attributes[name]), 0);
  for (const name of ['tests', 'failures', 'errors', 'skipped']) expect(sum(root.children, name)).toBe(Number(root.attributes[name]));
  for (const suite of root.children) {
    const cases = suite.children.filter(({ name }) => name === 'testcase');
    const bodies = cases.flatMap(({ children }) => children.map(({ name }) => name));
    const count = (wanted: string) => bodies.filter((name) => name === wanted).length;
    expect([cases.length, count('failure'), count('error'), count('skipped')]).toEqual(['tests', 'failures', 'errors', 'skipped'].map((name) => Number(suite.attributes[name])));
  }
}

function checkElement({ name, attributes, children }: XmlElement): void {
  const rule = rules[name];
  if (!rule) throw new Error(`<${name}> is no element of JUnit.`);
  for (const given of Object.keys(attributes)) expect(rule.attributes.map((each) => each.replace('!', '')), `${name}/${given}`).toContain(given);
  for (const needed of rule.attributes.filter((each) => each.endsWith('!'))) expect(Object.keys(attributes), name).toContain(needed.slice(0, -1));
  for (const number of ['tests', 'failures', 'errors', 'skipped']) if (attributes[number] !== undefined) expect(attributes[number]).toMatch(/^\d+$/);
  if (attributes['time'] !== undefined) expect(attributes['time']).toMatch(/^\d+\.\d{3}$/);
  if (attributes['timestamp'] !== undefined) expect(attributes['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  const places = children.map((child) => rule.children.indexOf(child.name));
  expect(places, `children of ${name}`).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  for (const single of ['properties', 'failure', 'error', 'skipped']) expect(children.filter((child) => child.name === single).length).toBeLessThanOrEqual(1);
  children.forEach(checkElement);
}
