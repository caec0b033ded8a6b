import { exactTime } from '../../../../src-shared/display/dates.ts';
import { NOT_DEFINED, formatDuration } from '../../../../src-shared/display/numbers.ts';
import { z } from 'zod';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import {
  executionStatuses,
  type ToolExecution,
} from '../../../../src-shared/domain/toolExecution.ts';
import type { ToolContent } from '../../../../src-shared/domain/workshop.ts';
import { readToolFiles } from '../../../services/workshop/toolFiles.ts';
import type { CommandIo } from '../commandIo.ts';
import { inSession, member } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { oneOf } from '../input/optionValues.ts';
import { table } from '../output/output.ts';
import { onInterrupt } from '../signals.ts';
import type { Client } from '../session.ts';
import { readNamedFiles } from './workshopFiles.ts';

/** The JSON document of one execution. Programs depend on these names. */
function executionShape(execution: ToolExecution) {
  return {
    id: execution.id,
    tool: execution.toolName,
    version: execution.version,
    status: execution.status,
    input_data: execution.inputData,
    output_data: execution.outputData,
    error_code: execution.errorCode,
    error_message: execution.errorMessage,
    stderr_tail: execution.stderrTail,
    output_excerpt: execution.outputExcerpt,
    duration_ms: execution.durationMs,
    caller_id: execution.callerId,
    trace_id: execution.traceId,
    created_at: execution.createdAt,
    started_at: execution.startedAt,
    completed_at: execution.completedAt,
  };
}

export const versionNumber = z.int().min(1);

const maxLimit = 500;

export const workshopRunCommands = [
  member(
    'run [name]',
    'runs a tool, or a draft from a file, with your permissions on this computer; exit code 3 ' +
      'if it fails',
    {
      flags: {
        '--file <file>': 'a draft: the file of a tool, name.tool.json; nothing is saved',
        '--arguments <json>': {
          about: 'its arguments, a JSON object; - reads standard input',
          default: '{}',
        },
        '--tool-version <n>': { about: 'this version instead of the latest', of: versionNumber },
        '--trace <id>': 'a trace ID for the log',
        '--yes': 'run a destructive tool without asking',
      },
      example: `workshop run word_count --arguments '{"text":"to be or not"}'`,
      async run({ options, ...context }, name: string | undefined) {
        const { io, output } = context;
        const { file, toolVersion: version, trace: traceId, yes = false } = options;
        if ((name === undefined) === (file === undefined))
          throw new UsageError(
            'workshop run: Give either the name of a tool, or a draft with --file.',
          );
        if (file !== undefined && version !== undefined)
          throw new UsageError(
            "workshop run: A draft has no versions, so --file and --tool-version can't be combined.",
          );
        const draft = file === undefined ? null : await readDraftFile(file, io);
        const args = readArguments(
          options.arguments === '-' ? await readInput('-', io) : options.arguments,
        );
        await inSession(context, 'write', async ({ client }) => {
          const subject =
            draft === null
              ? await client.workshop.getByName({ name: name ?? '' })
              : { content: draft, id: await findToolId(client, draft.name) };
          const { content } = subject;
          if (content.executorConfig.annotations.destructiveHint === true && !yes) {
            throw new UsageError(
              `${content.name}: It is marked as destructive. With these ` +
                `arguments: ${JSON.stringify(args)}. Give --yes to run it.`,
            );
          }
          const stopping = new AbortController();
          const call = { arguments: args, callerId: 'command line', traceId };
          const started =
            draft === null
              ? await client.workshop.start({ ...call, tool: content.name, version })
              : await client.workshop.startDraft({ ...call, content, toolId: subject.id });
          const done = onInterrupt(() => stopping.abort());
          let execution: ToolExecution;
          try {
            execution = await client.workshop.wait({ id: started.id }, { signal: stopping.signal });
          } catch (error) {
            if (!stopping.signal.aborted) throw error;
            execution = await client.workshop.cancel({ id: started.id });
          } finally {
            done();
          }
          output.answer(executionShape(execution), () =>
            typeof execution.outputData === 'string'
              ? execution.outputData
              : JSON.stringify(execution.outputData, null, 2),
          );
          if (execution.status === 'SUCCESS') return;
          if (execution.stderrTail !== '') output.note(execution.stderrTail);
          output.error(
            `${content.name}: ${execution.status}: ${execution.errorMessage ?? 'It gave no reason.'}`,
          );
          io.setExitCode(exitCodes.incomplete);
        });
      },
    },
  ),
  member('log [name]', 'executions, newest first', {
    flags: {
      '--status <status>': { about: 'only executions with this status', words: executionStatuses },
      '--caller <caller>': 'only executions by this caller',
      '--trace <id>': 'only executions with this trace ID',
      '--limit <n>': { about: 'how many', default: '20', of: versionNumber },
    },
    example: 'workshop log word_count --status FAILED --json',
    opens: 'read',
    async run({ client, output, options }, name: string | undefined) {
      const { status, caller: callerId, trace: traceId, limit } = options;
      const tool = name === undefined ? null : await client.workshop.getByName({ name });
      const { rows, total } = await client.workshop.executions({
        filter: {
          toolId: tool?.id,
          callerId,
          traceId,
          ...(status !== undefined && {
            status: [oneOf(status.toUpperCase(), '--status', executionStatuses)],
          }),
        },
        limit: Math.min(maxLimit, limit),
      });
      output.answer({ total, executions: rows.map(executionShape) }, () =>
        rows.length === 0
          ? 'No executions.'
          : table([
              ['started', 'tool', 'version', 'status', 'time', 'caller', 'trace', 'error'],
              ...rows.map((row) => [
                exactTime(row.createdAt) ?? NOT_DEFINED,
                row.toolName,
                String(row.version ?? 'draft'),
                row.status,
                formatDuration(row.durationMs),
                row.callerId ?? '–',
                row.traceId ?? '–',
                row.errorMessage ?? '',
              ]),
            ]),
      );
    },
  }),
];

async function readDraftFile(path: string, io: CommandIo): Promise<ToolContent> {
  const { tools, problems } = readToolFiles(await readNamedFiles([path], io));
  const [tool] = tools;
  if (problems.length > 0 || tool === undefined || tools.length > 1)
    throw new UsageError(
      problems.length > 0
        ? problems
            .map(
              ({ file, line, column, message }) =>
                `${file}:${line ?? 1}:${column ?? 1}: ${message}`,
            )
            .join('\n')
        : `${path}: It holds ${tools.length} tools. Give the file of one.`,
    );
  return tool.content;
}

/** The tool that a draft of this name would change; null if saving it would create one. */
async function findToolId(client: Client, name: string): Promise<string | null> {
  const { rows } = await client.workshop.list({ search: name, limit: 500 });
  return rows.find((row) => row.name === name)?.id ?? null;
}

function readArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      `--arguments: This is not JSON (${errorText(error)}). Give an object: '{"name":"value"}'.`,
    );
  }
  if (!isJsonObject(value))
    throw new UsageError(`--arguments: This is JSON, but no object. Give one: '{"name":"value"}'.`);
  return value;
}
