import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { formOfMessages, messagesOfForm } from './PriorMessages.tsx';

export const formOfSuite = (suite: Suite | null) => ({
  name: suite?.name ?? '',
  servers: [...(suite?.servers ?? [])],
  system: suite?.system ?? '',
  messages: formOfMessages(suite?.messages),
  /** Null leaves it to the evaluation. */
  argumentsMode: suite?.argumentsMode ?? null,
  folder: suite?.folder ?? '',
});
export type SuiteForm = ReturnType<typeof formOfSuite>;

/**
 * The form as the contract takes it. An empty system prompt becomes none, and messages without text
 * are left out.
 */
export function inputOfSuiteForm(form: SuiteForm) {
  return {
    name: form.name.trim(),
    system: form.system === '' ? null : form.system,
    messages: messagesOfForm(form.messages),
    servers: form.servers,
    folder: form.folder.trim() === '' ? null : form.folder.trim(),
    ...(form.argumentsMode !== null && { argumentsMode: form.argumentsMode }),
  };
}
