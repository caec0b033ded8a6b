import { describe, expect, it } from 'vitest';
import { formOfSuite, inputOfSuiteForm } from './suiteForm.ts';

describe('suite form', () => {
  it('keeps an unchanged suite identical', () => {
    const suite = {
      id: 's',
      name: 'todo-sample',
      system: ' You keep lists. ',
      messages: [
        { role: 'user' as const, content: 'Hello' },
        { role: 'assistant' as const, content: ' Hi ' },
      ],
      servers: ['todo'],
      caseCount: 2,
      taskCount: 0,
      judgedTaskCount: 0,
      executedTaskCount: 0,
      simulatedTaskCount: 0,
      createdAt: '',
      updatedAt: '',
      folder: '/home/me/suite',
    };
    expect(inputOfSuiteForm(formOfSuite(suite))).toEqual({
      name: suite.name,
      system: suite.system,
      folder: suite.folder,
      messages: suite.messages,
      servers: suite.servers,
    });
  });

  it('submits an empty system prompt as none', () => {
    const form = {
      ...formOfSuite(null),
      name: ' a ',
      messages: [{ row: 0, role: 'user' as const, content: '' }],
    };
    expect(inputOfSuiteForm(form)).toEqual({
      name: 'a',
      system: null,
      folder: null,
      messages: [],
      servers: [],
    });
  });
});
