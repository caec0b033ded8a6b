import { randomBytes } from 'node:crypto';
import { secretVariable } from '../../../adapters/secrets/namedSecrets.ts';
import type { ServedCall, WorkshopBackend } from '../../../services/workshop/serving.ts';
import { secretsOf } from '../../../services/workshop/toolSecrets.ts';
import type { CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { clientFlags } from '../input/clientFlags.ts';
import { readPort } from '../input/optionValues.ts';
import { openReader, openSession, type Session } from '../session.ts';
import { untilInterrupted } from '../signals.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';

export const workshopServe = member(
  'serve',
  'serves the active tools over MCP; scripts run with your permissions on this computer',
  {
    flags: {
      '--stdio': 'use standard input and output (the default)',
      '--http <port>': 'use streamable HTTP on 127.0.0.1, for clients with the printed token',
      ...clientFlags,
    },
    example: 'workshop serve --http 8801\n' + '  touchstone workshop serve --config cursor --add',
    async run({ options, ...context }) {
      const { stdio, http, config, add, undo } = options;
      if (config !== undefined || add || undo) {
        const { configureClient } = await import('../configureClient.ts');
        await configureClient(context, 'workshop serve', options, ({ workshop }) => ({
          read: () => workshop.clients(),
          add: (input) => workshop.addToClient(input),
          undo: (input) => workshop.undoClient(input),
        }));
        return;
      }
      if (stdio && http !== undefined)
        throw new UsageError("workshop serve: --stdio and --http can't be combined. Choose one.");
      const port = readPort(http ?? '0', '--http');
      const reader = await openReader(context);
      try {
        const backend = backendOf(reader, context);
        const log = (line: string): void =>
          void context.io.stderr.write(`${escapeControls(`workshop server: ${line}`)}\n`);
        if (http === undefined) {
          const { serveWorkshopOverStdio } = await import('../../../servers/workshop/stdio.ts');
          await serveWorkshopOverStdio({ backend, log });
          return;
        }
        const token = randomBytes(32).toString('base64url');
        const { serveWorkshopOverHttp } = await import('../../../servers/workshop/http.ts');
        const server = await serveWorkshopOverHttp({ backend, port, token, log });
        context.output.answer(
          { url: server.url, token },
          () => `${server.url}\nAuthorization: Bearer ${token}`,
        );
        await untilInterrupted();
        await server.close();
      } finally {
        await reader.close();
      }
    },
  },
);

/**
 * Lists tools through a read-only session. The workspace is locked, or its window asked, only
 * during calls.
 */
function backendOf(reader: Session, context: CommandContext): WorkshopBackend {
  const { client } = reader;
  let activeCalls = 0;
  let writer: Promise<Session> | null = null;
  const acquireWriter = (): Promise<Session> => {
    activeCalls += 1;
    writer ??= openSession(context, 'write');
    return writer;
  };
  const releaseWriter = async (): Promise<void> => {
    activeCalls -= 1;
    if (activeCalls > 0 || writer === null) return;
    const last = writer;
    writer = null;
    await (await last.catch(() => null))?.close();
  };
  return {
    redactValue: context.io.secretGuard.redactValue,
    tools: async (signal) =>
      (await client.workshop.models({ form: 'mcp' }, { signal })).tools.map(({ tool }) => tool),
    call: async (call: ServedCall, signal) => {
      try {
        const [session, secrets] = await Promise.all([
          acquireWriter(),
          secretsOfEnvironment(client, call.tool, context.io),
        ]);
        const input = { ...call, activeOnly: true, secrets };
        return await session.client.workshop.execute(input, { signal });
      } finally {
        await releaseWriter();
      }
    },
    async *revisions(signal) {
      yield* await client.workshop.watch({ afterRevision: -1 }, { signal });
    },
  };
}

/**
 * What the environment of this server, such as the `env` block of an MCP client, provides of the
 * secrets that the tool declares. Only those: a tool must not read other variables, and a window that
 * does the work has another environment.
 */
async function secretsOfEnvironment(
  client: Session['client'],
  name: string,
  { env, secretGuard }: CommandIo,
): Promise<Record<string, string>> {
  const { content } = await client.workshop.getByName({ name });
  const declared = new Set(content.executorConfig.secrets);
  return Object.fromEntries(
    secretsOf(content).flatMap((secret): [string, string][] => {
      const value = (declared.has(secret) && env[secret]) || env[secretVariable(secret)];
      if (!value) return [];
      secretGuard.guard(value);
      return [[secret, value]];
    }),
  );
}
