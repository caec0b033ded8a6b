import type { Transport } from '@modelcontextprotocol/client';
import type { HttpConfig, StdioConfig } from '../../../src-shared/domain/server.ts';
import { politeGraces } from '../process/endTree.ts';
import { spawnTree } from '../process/spawnTree.ts';
import { openHttpTransport, type ServerAccess } from './httpTransports.ts';
import type { WireTarget } from './mcpConnection.ts';
import { ConnectionNotes } from './notes.ts';
import { StdioTransport, LineSplitter } from './stdioTransport.ts';
import { plain } from '../process/textRing.ts';
import { beginningOf, type WireTap } from './wireTap.ts';

/** A longer line is passed on in parts. */
const maxLineBytes = 64 * 1024;

/** Passes standard error on in whole lines. Those that arrive together, such as a stack, stay together. */
function tapErrorOutput(tap: WireTap): { push: (chunk: Buffer) => void; end: () => void } {
  let lines: string[] = [];
  const splitter = new LineSplitter(
    () => maxLineBytes,
    (line) => void lines.push(line.toString('utf8')),
  );
  const flush = (): void => {
    const text = plain(lines.join('\n')).trimEnd();
    lines = [];
    if (text !== '') tap({ kind: 'stderr', ...beginningOf(text) });
  };
  return {
    push(chunk) {
      // Whatever the splitter drops is the beginning of a line without an end.
      if (!splitter.push(chunk)) lines.push(chunk.toString('utf8'));
      flush();
    },
    end() {
      lines.push(splitter.rest().toString('utf8'));
      flush();
    },
  };
}

export interface WireOptions {
  /** Limit of the message that comes next. */
  messageBytes: () => number;
  /** What the command `touchstone` is replaced by. */
  self: { command: string; args: readonly string[]; env?: Readonly<Record<string, string>> } | null;
  /** Which addresses a server may have. */
  access: ServerAccess;
  /** Reports an answer that is not valid JSON-RPC; over HTTP its id isn't known. */
  onMalformed: (id: string | number | null, text: string) => void;
}

/** A transport to a server, before anything is said on it. */
export interface Wire {
  transport: Transport;
  notes: ConnectionNotes;
  /** Whether the answer to a request may come after the transport has sent the request. */
  mayStillAnswer: (id: string | number) => boolean;
  /** From here on the server is shut down politely. */
  settle: () => void;
  /** Ends the session at a server over HTTP, on a best-effort basis, before the transport is closed. */
  terminate: (signal: AbortSignal) => Promise<void>;
}

/** How the program of a server becomes a process. */
export const serverPrograms = { start: spawnTree };

/** Starts the program of a server. Its end is recorded by the notes. */
export async function openStdioWire(
  target: WireTarget,
  config: StdioConfig,
  options: Omit<WireOptions, 'access'>,
): Promise<Wire> {
  const self = config.command === 'touchstone' ? options.self : null;
  const { tap } = target;
  const output = tap && tapErrorOutput(tap);
  const tree = await serverPrograms.start({
    command: self?.command ?? config.command,
    args: [...(self?.args ?? []), ...config.args],
    cwd: config.cwd,
    env: { ...self?.env, ...config.env },
    onLog: output?.push,
  });
  tap?.({ kind: 'process', pid: tree.pid, exit: null });
  void tree.ended.then((exit) => {
    output?.end();
    tap?.({ kind: 'process', pid: tree.pid, exit });
  });
  const notes = new ConnectionNotes(tree, target);
  const { messageBytes, onMalformed } = options;
  const transport = new StdioTransport(tree, { notes, messageBytes, tap, onMalformed });
  return {
    transport,
    notes,
    mayStillAnswer: () => true,
    settle: () => (transport.graces = politeGraces),
    terminate: () => Promise.resolve(),
  };
}

/** Opens the transport of a server over HTTP; nothing is sent yet. */
export function openHttpWire(
  target: WireTarget,
  config: HttpConfig,
  kind: HttpConfig['transport'],
  { messageBytes, access, onMalformed }: Omit<WireOptions, 'self'>,
): Wire {
  const notes = new ConnectionNotes(null, target);
  const opened = openHttpTransport(config, kind, notes, messageBytes, access, {
    tap: target.tap,
    onMalformed: (text) => onMalformed(null, text),
  });
  return { ...opened, notes, settle: () => undefined };
}
