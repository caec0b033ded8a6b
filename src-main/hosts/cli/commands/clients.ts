import { z } from 'zod';
import {
  beforeText,
  presentationText,
  resultTexts,
} from '../../../../src-shared/display/clientTexts.ts';
import type { ResultFacts } from '../../../../src-shared/domain/clientFacts.ts';
import {
  hiddenText,
  isCut,
  ownChanges,
  readClientFacts,
  viewHeadline,
  viewsOf,
  type ClientView,
} from '../../../services/clients/clientViews.ts';
import { changeText } from '../../../services/clients/readClients.ts';
import { define } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { toolsOfSources } from '../input/toolsOfSources.ts';

/** What a client does to a tool, each with those before it. */
const failures = ['hidden', 'cut', 'changed'] as const;

const does: Readonly<Record<(typeof failures)[number], (view: ClientView) => boolean>> = {
  hidden: ({ hidden }) => hidden.length > 0,
  cut: ({ client, offered }) => offered.some(({ raw }) => isCut(client, raw)),
  changed: ({ client, offered }) =>
    offered.some(({ changes }) => ownChanges(client, changes).length > 0),
};

export const clients = define({
  flags: [
    {
      '--tools <file>': 'tools from a file, or a folder of skills (- reads standard input)',
      '--server <name...>': 'registered servers',
      '--client <name...>': 'only these clients (default: all that are known)',
      '--fail-on <what>': {
        about:
          'exits with 1 if a client hides a tool (hidden), also if it cuts a description (cut), or ' +
          'also if it changes more of a tool than of every tool (changed)',
        of: z.enum(failures),
      },
    },
  ],
  example: 'clients ' + '--tools tools.json --client claude-code codex --fail-on hidden',
  async run({ options, ...context }) {
    const { io, output } = context;
    const known = readClientFacts();
    const ids: readonly string[] = known.map(({ id }) => id);
    for (const id of options.client ?? [])
      if (!ids.includes(id))
        throw new UsageError(`--client ${id}: It isn't known. Give one of ${ids.join(', ')}.`);
    const { tools, rejected, failed, instructions } = await toolsOfSources(
      'clients',
      context,
      options,
    );
    for (const { server, reason } of failed) output.error(`${server}: ${reason}`);
    const views = viewsOf(
      tools,
      rejected,
      known.filter(({ id }) => options.client?.includes(id) ?? true),
      instructions,
    );
    output.answer({ clients: views.map(published) }, () => views.map(viewText).join('\n\n'));
    if (failed.length > 0) io.setExitCode(exitCodes.incomplete);
    else if (options.failOn !== undefined) {
      const counted = failures.slice(0, failures.indexOf(options.failOn) + 1);
      if (views.some((view) => counted.some((what) => does[what](view))))
        io.setExitCode(exitCodes.gateFailed);
    }
  },
});

const published = (view: ClientView): unknown => ({
  client: view.client.id,
  name: view.client.name,
  version: view.client.version,
  model: view.client.model,
  known: view.client.known,
  assumed: view.client.assumed,
  presentation: view.client.presentation,
  // What a model reads of each server before it searches; null: its instructions aren't known.
  before: view.before.map(({ server, text }) => ({ server, text })),
  results: view.client.results && publishedResults(view.client.results),
  notes: view.client.notes,
  offered: view.offered.map(({ server, tool, wireName, changes }) => ({
    server,
    tool,
    // A name that is assumed isn't said.
    wire_name: view.client.assumed.includes('names') ? null : wireName,
    changes,
  })),
  hidden: view.hidden.map((one) => ({
    server: one.server,
    tool: one.tool,
    reason: hiddenText(one, view.client),
  })),
});

/** Named like the other fields of the document. */
const publishedResults = ({ structuredAlone, longLine, ...others }: ResultFacts): object => ({
  ...others,
  structured_alone: structuredAlone,
  long_line: longLine,
});

function viewText(view: ClientView): string {
  const { client, offered, hidden, before } = view;
  const lines = [
    ...hidden.map((one) => `  ${one.server}:${one.tool}  ${hiddenText(one, client)}`),
    ...offered.flatMap(({ server, tool, changes }) => {
      const own = ownChanges(client, changes);
      return own.length === 0
        ? []
        : [
            `  ${server}:${tool}  ${own.slice(0, 3).map(changeText).join(', ')}${own.length > 3 ? ` and ${own.length - 3} more` : ''}`,
          ];
    }),
  ];
  const results = resultTexts(client.results);
  return [
    `${viewHeadline(view)} (${client.version ?? `documented: ${client.known.source ?? ''}`})`,
    ...[presentationText(client.presentation), ...client.notes].flatMap((note) =>
      note === '' ? [] : [`  ${note}`],
    ),
    ...before.flatMap(({ server, text }) =>
      text === null ? [] : [`  Of ${server}, ${beforeText(text)}.`],
    ),
    ...(results.length === 0 ? [] : [`  Results: ${results.join('; ')}.`]),
    ...lines,
  ].join('\n');
}
