import { describe, expect, it } from 'vitest';
import {
  executorTypes,
  httpConfig,
  mcpConfig,
  pythonConfig,
  shellConfig,
} from '../../../src-shared/domain/executors.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { toolExamples } from '../../../src-shared/domain/toolExamples.ts';
import { toolContent } from '../../../src-shared/domain/workshop.ts';
import { argumentFields } from '../../ui/arguments/argumentFields.ts';
import { executorSchema } from './executorForms.ts';
import { draftOf, readObject } from './toolDraft.ts';

const configs = { python: pythonConfig, shell: shellConfig, http: httpConfig, mcp: mcpConfig };
const none = { servers: [], tools: [] };
const propertiesOf = (schema: JsonObject): JsonObject =>
  isJsonObject(schema['properties']) ? schema['properties'] : {};

describe.each(executorTypes)('the form of %s settings', (type) => {
  const form = propertiesOf(executorSchema(type, {}, none));

  it('has a field with help for each setting', () => {
    expect(Object.keys(form).sort()).toEqual(Object.keys(configs[type].shape).sort());
    for (const rules of Object.values(form))
      expect(isJsonObject(rules) && rules['description']).toMatch(/\.$/);
  });

  it('states the defaults that apply', () => {
    const minimum = { http: { url: 'http://x/' }, mcp: { server: 's', tool: 't' } };
    const defaults = configs[type].parse(
      type === 'http' || type === 'mcp' ? minimum[type] : {},
    ) as unknown as JsonObject;
    for (const [name, rules] of Object.entries(form))
      if (isJsonObject(rules) && rules['default'] !== undefined)
        expect([name, rules['default']]).toEqual([name, defaults[name]]);
  });

  it('shows the settings of a saved tool without JSON', () => {
    const template = toolExamples[type];
    const saved = draftOf(
      toolContent.parse({
        name: 'a',
        displayName: 'A',
        description: 'A.',
        executorType: type,
        inputSchema: readObject(template.inputSchema),
        executorConfig: readObject(template.executorConfig),
        scriptContent: template.scriptContent === '' ? null : template.scriptContent,
      }),
    );
    const settings = readObject(saved.executorConfig) ?? {};
    for (const field of argumentFields(executorSchema(type, settings, none), settings))
      expect([
        field.name,
        field.kind !== 'json' || field.members !== null || field.items !== null || field.isMap,
      ]).toEqual([field.name, true]);
  });
});
