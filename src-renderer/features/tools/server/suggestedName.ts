import { nameOfConfig } from '../../../../src-shared/domain/serverName.ts';
import { inputOfForm, type ServerForm } from './serverForm.ts';
import { splitWords } from './splitCommand.ts';

/** What a server is called that nobody has named yet; empty until the form says how to reach it. */
export function suggestedName(form: ServerForm): string {
  const result = inputOfForm({ ...form, name: 'unnamed' });
  if (!result.ok) return '';
  const { config } = result.input;
  if (config.transport !== 'stdio') return nameOfConfig(config);
  // A whole command line that is still to be split.
  const [command = '', ...words] = (config.args.length === 0 && splitWords(config.command)) || [
    config.command,
  ];
  return nameOfConfig({ ...config, command, args: [...words, ...config.args] });
}
