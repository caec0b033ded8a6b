import type { ArgumentsMode, PriorMessage, Suite } from '../../../src-shared/domain/testCase.ts';
import { formOfMessages, messagesOfForm, type MessageForm } from './PriorMessages.tsx';

export interface SuiteForm {
  name: string;
  servers: string[];
  system: string;
  messages: MessageForm[];
  /** Null leaves it to the evaluation. */
  argumentsMode: ArgumentsMode | null;
  folder: string;
}

export interface SuiteInput {
  name: string;
  system: string | null;
  messages: PriorMessage[];
  servers: string[];
  argumentsMode?: ArgumentsMode;
  folder: string | null;
}

export function formOfSuite(suite: Suite | null): SuiteForm {
  return {
    name: suite?.name ?? '',
    servers: [...(suite?.servers ?? [])],
    system: suite?.system ?? '',
    messages: formOfMessages(suite?.messages),
    argumentsMode: suite?.argumentsMode ?? null,
    folder: suite?.folder ?? '',
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
    messages: messagesOfForm(form.messages),
    servers: form.servers,
    folder: form.folder.trim() === '' ? null : form.folder.trim(),
    ...(form.argumentsMode !== null && { argumentsMode: form.argumentsMode }),
  };
}
