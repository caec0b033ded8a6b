import type { z } from 'zod';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { isRemote, modelLabel } from '../../../src-shared/domain/provider.ts';
import type { RequestAccount } from '../../adapters/llm/request/requestAccount.ts';
import { ChatFailure, type ChatReply, type OpenChatModel } from '../../adapters/llm/chatModel.ts';

export interface JsonAnswer<Value> {
  /** Null if the answer is not what was asked for. */
  value: Value | null;
  text: string;
  usage: ChatReply['observation']['usage'];
}

/** The error of a model that can't be used, or whose answer can't. */
export const modelError = (
  configuration: ModelConfiguration,
  cause: string,
  error?: unknown,
): ServiceError =>
  new ServiceError(
    'TROUBLE',
    {
      thing: `Model ${modelLabel(configuration)}`,
      cause,
      nextStep: 'Try again, or choose another model.',
    },
    { cause: error },
  );

/**
 * Sends one prompt and validates the JSON in the answer. Throws INVALID for a model that writes no
 * text, and TROUBLE when it does not answer. Every request that it sends is in `account`, also if it
 * throws.
 */
export async function askForJson<Shape extends z.ZodType>(
  open: OpenChatModel,
  configuration: ModelConfiguration,
  { system, query }: { system: string; query: string },
  shape: Shape,
  signal: AbortSignal,
  account?: RequestAccount,
): Promise<JsonAnswer<z.infer<Shape>>> {
  requireTextModel(configuration);
  const model = await open(configuration);
  try {
    const { observation } = await model.choose(
      { query, system, messages: [], tools: [], repetition: 1 },
      signal,
      account,
    );
    const text = observation.text ?? '';
    const read = shape.safeParse(extractJson(text));
    return { value: read.success ? read.data : null, text, usage: observation.usage };
  } catch (error) {
    if (error instanceof ChatFailure) throw modelError(configuration, error.message, error);
    throw error;
  } finally {
    await model.close();
  }
}

/** Throws INVALID for a provider without a language model. */
export function requireTextModel(configuration: ModelConfiguration): void {
  if (isRemote(configuration.provider)) return;
  throw new ServiceError('INVALID', {
    thing: `Model ${modelLabel(configuration)}`,
    cause: 'It writes no text.',
    nextStep: 'Choose a language model.',
    field: 'model',
  });
}

/** Models often wrap JSON in a code fence or in a sentence. */
function extractJson(text: string): unknown {
  return orElse(
    (): unknown => JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)),
    null,
  );
}
