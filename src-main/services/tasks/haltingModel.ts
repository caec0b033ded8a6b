import { ChatFailure, type ChatModel } from '../../adapters/llm/chatModel.ts';
import { unlessAborted } from '../../runtime/deadline.ts';

/** A model that tells when its service fails for every run, as with a refused key or spent quota. */
export function haltingModel(model: ChatModel, onFatal: (reason: string) => void): ChatModel {
  const watched = async <Reply>(reply: Promise<Reply>, signal: AbortSignal): Promise<Reply> => {
    try {
      return await unlessAborted(reply, signal);
    } catch (error) {
      if (error instanceof ChatFailure && error.fatal) onFatal(error.message);
      throw error;
    }
  };
  return {
    ...model,
    describeTools: (tools) => model.describeTools(tools),
    choose: (request, signal, account) => watched(model.choose(request, signal, account), signal),
    close: () => model.close(),
    ...(model.converse && {
      converse: (request) => {
        const conversation = model.converse?.(request);
        if (!conversation) throw new Error('The model has no conversations.');
        return {
          next: (input, signal, account) =>
            watched(conversation.next(input, signal, account), signal),
          close: () => conversation.close?.() ?? Promise.resolve(),
        };
      },
    }),
  };
}
