import type { Command } from 'commander';
import type { LastOutcome } from '../../../../src-shared/domain/lastOutcomes.ts';
import {
  lastOutcomesText,
  lastOutcomeText,
} from '../../../../src-shared/display/lastOutcomeTexts.ts';
import { suiteSize } from '../../../../src-shared/display/suiteTexts.ts';
import { alternatives, type ExpectedCall } from '../../../../src-shared/domain/testCase.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { suiteIdOf } from '../input/evaluationSource.ts';
import { table } from '../output/output.ts';
import { openSession } from '../session.ts';

/** The tools that one expected call accepts, such as `todo:add_task`. */
const accepted = (call: ExpectedCall): string[] =>
  alternatives(call).map(({ server, tool }) => `${server}:${tool}`);

const toJson = ({ model, number, outcome, passed, scored, changed }: LastOutcome) => ({
  model,
  result: number,
  outcome,
  passed,
  scored,
  changed,
});

/** Adds the commands that show, rename and remove one suite. */
export function addSuiteItems(suite: Command, io: CommandIo): void {
  suite
    .command('show <name>')
    .description(
      'lists the cases and tasks of a suite with their last outcomes; `suite export` writes all of it',
    )
    .addHelpText('after', '\nExample:\n  touchstone suite show todo-sample --json')
    .action(async (name: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'read');
      try {
        const id = (await suiteIdOf(session.client, name, {})) ?? '';
        const shown = await session.client.suites.get({ id });
        const cases = await session.client.suites.cases({ suiteId: id });
        const tasks = await session.client.suites.tasks({ suiteId: id });
        const last = await session.client.results.lastOutcomes({ suiteId: id });
        const lastOf = (entry: string): LastOutcome[] =>
          last.entries.find((each) => each.id === entry)?.last ?? [];
        context.output.answer(
          {
            id,
            name: shown.name,
            servers: shown.servers,
            cases: cases.map((each) => ({
              id: each.key,
              name: each.name,
              query: each.query,
              tags: each.tags,
              expected_calls: each.expectedCalls.map(accepted),
              last_outcomes: lastOf(each.id).map(toJson),
            })),
            tasks: tasks.map(({ id: taskId, key, content }) => ({
              id: key,
              name: content.name,
              last_outcomes: lastOf(taskId).map(toJson),
            })),
            last_outcomes: last.models.map(
              ({ unit, model, results, entries, changed, outcomes }) => ({
                unit,
                model,
                results: results.map(({ number }) => number),
                entries,
                changed,
                outcomes,
              }),
            ),
          },
          () =>
            [
              `${shown.name}: ${suiteSize(shown)}`,
              ...last.models.map(lastOutcomesText),
              table([
                ...cases.map(({ id: caseId, key, name: title, expectedCalls }) => [
                  key,
                  title,
                  expectedCalls.length === 0
                    ? 'no tool'
                    : expectedCalls.map((call) => accepted(call).join(' or ')).join(', '),
                  lastOf(caseId).map(lastOutcomeText).join(', '),
                ]),
                ...tasks.map(({ id: taskId, key, content }) => [
                  key,
                  content.name,
                  'task',
                  lastOf(taskId).map(lastOutcomeText).join(', '),
                ]),
              ]),
            ].join('\n'),
        );
      } finally {
        await session.close();
      }
    });

  suite
    .command('rename <name> <new-name>')
    .description('gives a suite another name')
    .addHelpText('after', '\nExample:\n  touchstone suite rename todo-sample todo')
    .action(async (name: string, newName: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const id = (await suiteIdOf(session.client, name, {})) ?? '';
        const { system, messages, servers, argumentsMode } = await session.client.suites.get({
          id,
        });
        const renamed = await session.client.suites.update({
          id,
          name: newName,
          system,
          messages,
          servers,
          argumentsMode,
        });
        context.output.answer(
          { id, name: renamed.name },
          () => `Renamed ${name} to ${renamed.name}.`,
        );
      } finally {
        await session.close();
      }
    });

  suite
    .command('remove <name>')
    .description('removes a suite with its cases and tasks; its evaluations stay')
    .addHelpText('after', '\nExample:\n  touchstone suite remove todo-sample')
    .action(async (name: string, _options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'write');
      try {
        const id = (await suiteIdOf(session.client, name, {})) ?? '';
        const removed = await session.client.suites.get({ id });
        await session.client.suites.remove({ id });
        context.output.answer(
          { removed: removed.name, cases: removed.caseCount, tasks: removed.taskCount },
          () => `Removed ${removed.name}: ${suiteSize(removed)}.`,
        );
      } finally {
        await session.close();
      }
    });
}
