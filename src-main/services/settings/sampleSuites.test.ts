import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { caseFile } from '../../../src-shared/domain/suiteFile.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { words } from '../../analysis/tokenizer.ts';
import { validateMatchers } from '../../scoring/validateMatchers.ts';
import { sampleServerNames } from '../../servers/sample/sampleServer.ts';
import { toolDefinitions } from '../../servers/todo/toolSchemas.ts';

interface Definition {
  server: string;
  name: string;
  description: string;
  inputSchema: JsonObject;
}

const read = (name: string): string =>
  readFileSync(new URL(`../../../datasets/sample/${name}`, import.meta.url), 'utf8');
const listed = sampleServerNames.flatMap((server) =>
  (JSON.parse(read(`${server}.tools.json`)) as { tools: Omit<Definition, 'server'>[] }).tools.map(
    (tool): Definition => ({ server, ...tool }),
  ),
);
const tools = new Map(
  [...listed, ...toolDefinitions.map((tool): Definition => ({ server: 'todo', ...tool }))].map(
    (tool) => [toolId(tool.server, tool.name), tool],
  ),
);
const suites = ['office-sample', 'todo-sample'].map((name) =>
  caseFile.parse(parse(read(`${name}.suite.yaml`))),
);
const office = suites[0]!;

/** Every run of five words. */
const shingles = (text: string): string[] => {
  const all = words(text);
  return all.slice(0, -4).map((_, at) => all.slice(at, at + 5).join(' '));
};

describe('the definitions of the sample', () => {
  it('are 20 to 30 tools over three servers, two of which have a tool of the same name', () => {
    expect(listed.length).toBeGreaterThanOrEqual(20);
    expect(listed.length).toBeLessThanOrEqual(30);
    expect(tools.has('mail:search') && tools.has('files:search')).toBe(true);
    expect(tools.size).toBe(listed.length + toolDefinitions.length);
  });
});

describe('the suites of the sample', () => {
  it('have at least 120 cases for the office, with unique ids and queries, and a tag each', () => {
    expect(office.cases.length).toBeGreaterThanOrEqual(120);
    expect(new Set(office.cases.map(({ id }) => id)).size).toBe(office.cases.length);
    expect(new Set(office.cases.map(({ query }) => query)).size).toBe(office.cases.length);
    expect(office.cases.filter(({ tags = [] }) => tags.length === 0)).toEqual([]);
    expect(office.cases.filter((item) => item.expected_calls.length === 0).length).toBeGreaterThan(
      9,
    );
  });

  it('expect every tool but the deprecated one at least once as the only right answer', () => {
    const only = new Set(
      office.cases.flatMap(({ expected_calls: calls }) =>
        calls.flatMap((call) => ('any_of' in call ? [] : [toolId(call.server, call.tool)])),
      ),
    );
    expect([...tools.keys()].filter((id) => !only.has(id))).toEqual(['calendar:get_events']);
  });

  it('expect only arguments that the schemas of their tools accept', () => {
    const problems = suites.flatMap(({ cases }) =>
      cases.flatMap((item) =>
        item.expected_calls.flatMap((call) =>
          ('any_of' in call ? call.any_of : [call]).flatMap((wanted) => {
            const id = toolId(wanted.server, wanted.tool);
            const schema = tools.get(id)?.inputSchema;
            if (schema === undefined) return [`${item.id}: no tool ${id}`];
            const { parameters } = call;
            if (parameters === undefined) return [];
            const known = Object.keys((schema['properties'] ?? {}) as object);
            return [
              ...validateMatchers(parameters, schema).map(
                (found) => `${item.id}: ${found.message}`,
              ),
              ...Object.keys(parameters)
                .filter((name) => !known.includes(name))
                .map((name) => `${item.id}: ${id} has no parameter ${name}`),
              ...(schema['required'] as string[])
                .filter((name) => !(name in parameters))
                .map((name) => `${item.id}: ${id} requires ${name}`),
            ];
          }),
        ),
      ),
    );
    expect(problems).toEqual([]);
  });

  it('never repeat five words in a row of a description', () => {
    const described = new Map(
      [...tools].flatMap(([id, { description }]) =>
        shingles(description).map((shingle) => [shingle, id] as const),
      ),
    );
    const leaks = suites.flatMap(({ cases }) =>
      cases.flatMap(({ id, query }) =>
        shingles(query).flatMap((shingle) =>
          described.has(shingle) ? [`${id}: "${shingle}" of ${described.get(shingle)}`] : [],
        ),
      ),
    );
    expect(leaks).toEqual([]);
  });
});
