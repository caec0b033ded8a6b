import type { ArgumentsMode, PriorMessage, Suite } from '../../../src-shared/domain/testCase.ts';

export interface SuiteForm {
  name: string;
  servers: string[];
  system: string;
  messages: (PriorMessage & { row: number })[];
  /** Null leaves it to the evaluation. */
  argumentsMode: ArgumentsMode | null;
}

export interface SuiteInput {
  name: string;
  system: string | null;
  messages: PriorMessage[];
  servers: string[];
  argumentsMode?: ArgumentsMode;
}

export function formOfSuite(suite: Suite | null): SuiteForm {
  return {
    name: suite?.name ?? '',
    servers: [...(suite?.servers ?? [])],
    system: suite?.system ?? '',
    messages: (suite?.messages ?? []).map((message, row) => ({ ...message, row })),
    argumentsMode: suite?.argumentsMode ?? null,
  };
}

/**
 * The form as the contract takes it. An empty system prompt becomes none, and messages without text
 * are left out.
 */
export function inputOfSuiteForm(form: SuiteForm): SuiteInput {
  return {
    name: form.name.trim(),
    system: form.system === '' ? null : form.system,
    messages: form.messages
      .filter(({ content }) => content !== '')
      .map(({ role, content }) => ({ role, content })),
    servers: form.servers,
    ...(form.argumentsMode !== null && { argumentsMode: form.argumentsMode }),
  };
}
