import { writeAnswer } from '../output/answerText.ts';
import { readCommandTable } from '../completion/commandTable.ts';
import { completionScript, shells } from '../completion/shellScripts.ts';
import { define } from '../declare.ts';
import { oneOf } from '../input/optionValues.ts';

export const completion = define({
  argument: { words: shells },
  notes:
    'Examples:\n  touchstone completion bash > ' +
    '~/.local/share/bash-completion/completions/touchstone\n  touchstone completion zsh > ' +
    '"${fpath[1]}/_touchstone"\n  touchstone completion fish > ' +
    '~/.config/fish/completions/touchstone.fish',
  async run({ io, whole }, shell: string) {
    const commands = readCommandTable(await whole());
    await writeAnswer(completionScript(oneOf(shell, 'completion', shells), commands), io);
  },
});
