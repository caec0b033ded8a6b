import { asSentence } from '../../../../src-shared/domain/asSentence.ts';
import { presentedAs } from '../../../../src-shared/domain/clientFacts.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import type { WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import type { CommandIo } from '../commandIo.ts';
import { define, inSession } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { programsFlag } from '../input/evalOptions.ts';
import { overrideFlag, readOverrideFile } from '../input/overrides.ts';
import { readToolsAt } from '../input/toolsAt.ts';
import { whatIfEvaluation } from '../whatIfEvaluation.ts';

export const whatIf = define({
  flags: {
    '--without <tool...>': 'leave out these tools (server:tool), or whole servers by name',
    '--with <file>': 'also offer the tools of this file',
    '--with-server <name...>': 'also offer the tools of these servers, as last listed',
    '--override <file>': overrideFlag,
    '--rename <tool=name...>': 'offer a tool under another name; expectations are renamed too',
    '--client <name>': {
      about: 'present tools as this client does, or generic',
      choices: presentedAs.options,
    },
    '--execute <mode>':
      'execution mode of tasks: stub (default; recorded results answer calls), read-only, or full',
    '--yes': 'agree to --execute full',
    ...programsFlag,
  },
  notes: 'Name an evaluation of cases or tasks by its number or ID.',
  example: 'what-if 14 --without todo:update_task --json',
  async run({ options, ...context }, text: string) {
    const { io } = context;
    const { without = [], withServer = [], rename = [] } = options;
    const added = options.with === undefined ? [] : await readAdded(options.with, io);
    const overrides =
      options.override === undefined ? [] : await readOverrides(options.override, io);
    const changesOf = (snapshot: ToolSnapshot | null): WhatIfChange[] => {
      const changes = [
        ...removals(without, snapshot),
        ...added,
        ...withServer.map((server): WhatIfChange => ({ kind: 'add_server', server })),
        ...overrides,
        ...rename.map(readRename),
        ...(options.client === undefined
          ? []
          : [{ kind: 'present_as' as const, client: presentedAs.parse(options.client) }]),
      ];
      if (changes.length > 0) return changes;
      throw new UsageError(
        'what-if: There is no change. Give --without, --with, --with-server, --override, ' +
          '--rename or --client.',
      );
    };
    await inSession(context, 'write', ({ client }) =>
      whatIfEvaluation(client, text, changesOf, options, context),
    );
  },
});

/** A name that is a server and not a tool removes the whole server. */
function removals(names: readonly string[], snapshot: ToolSnapshot | null): WhatIfChange[] {
  const tools = new Set(snapshot?.tools.map(({ server, name }) => toolId(server, name)));
  const servers = new Set(snapshot?.servers.map(({ server }) => server));
  return names.map((name): WhatIfChange =>
    !tools.has(name) && servers.has(name)
      ? { kind: 'remove_server', server: name }
      : { kind: 'remove_tool', toolId: name },
  );
}

async function readAdded(file: string, io: CommandIo): Promise<WhatIfChange[]> {
  const { tools, rejected } = await readToolsAt(file, io);
  const [bad] = rejected;
  if (bad) throw new UsageError(`${file}: ${bad.name}: ${asSentence(bad.reason)} Fix the file.`);
  return [{ kind: 'add_tools', tools }];
}

async function readOverrides(file: string, io: CommandIo): Promise<WhatIfChange[]> {
  const overrides = await readOverrideFile(file, io);
  return [...overrides].flatMap(([toolId, { name, ...parts }]): WhatIfChange[] => [
    ...(Object.keys(parts).length > 0 ? [{ kind: 'override' as const, toolId, ...parts }] : []),
    ...(name === undefined ? [] : [{ kind: 'rename' as const, toolId, name }]),
  ]);
}

function readRename(text: string): WhatIfChange {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new UsageError(`--rename ${text}: It needs the form SERVER:TOOL=NAME.`);
  return { kind: 'rename', toolId: text.slice(0, at), name: text.slice(at + 1) };
}
