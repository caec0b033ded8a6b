import type { Command } from 'commander';
import type { CommandIo } from '../commandIo.ts';
import { writeAnswer } from '../output/answerText.ts';
import { readCommandTable } from '../completion/commandTable.ts';
import { completionScript, shells } from '../completion/shellScripts.ts';
import { oneOf } from '../input/optionValues.ts';

export function addCompletion(
  declared: Command,
  io: CommandIo,
  whole: () => Promise<Command>,
): void {
  declared
    .addHelpText(
      'after',
      '\nExamples:\n  touchstone completion bash > ' +
        '~/.local/share/bash-completion/completions/touchstone\n  touchstone completion zsh > ' +
        '"${fpath[1]}/_touchstone"\n  touchstone completion fish > ' +
        '~/.config/fish/completions/touchstone.fish',
    )
    .action(async (shell: string) => {
      await writeAnswer(
        completionScript(oneOf(shell, 'completion', shells), readCommandTable(await whole())),
        io,
      );
    });
}
