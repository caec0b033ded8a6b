import { useEffect, useState } from 'react';
import type { ProtocolMessages } from '../../../../../src-shared/domain/protocolMessage.ts';
import { follow, useApi } from '../../../../api/index.ts';
import { addPage } from './messageTexts.ts';

const nothing: ProtocolMessages = { messages: [], firstSeq: 1, lastSeq: 0, dropped: 0 };

/** What is in the log of a server and matches the search; null until it is known. */
export function useMessages(
  id: string,
  search: string,
  isPaused: boolean,
): { log: ProtocolMessages | null; error: unknown } {
  const { client } = useApi();
  const [log, setLog] = useState<ProtocolMessages | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (isPaused) return undefined;
    const reading = new AbortController();
    const { signal } = reading;
    // A search, or a pause, may have left lines out: all that is kept is read again.
    let read = nothing;
    follow(
      () => client.servers.messages({ id, afterSeq: read.lastSeq, search }, { signal }),
      (page) => {
        read = addPage(read, page);
        setLog(read);
      },
      signal,
    ).catch(setError);
    return () => {
      reading.abort();
    };
  }, [client, id, search, isPaused]);
  return { log, error };
}
