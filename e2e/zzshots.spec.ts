
import { expect, test, visit } from './fixtures.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTool, saveAs, writeCode, saveElsewhere } from './workshopSteps.ts';
test.use({ file: import.meta.filename });
mkdirSync('/tmp/shots-leave', { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });
    test('shots ' + colorScheme, async ({ window, host }) => {
      test.setTimeout(280_000);
      const shot = (name: string) => window.screenshot({ path: `/tmp/shots-leave/${name}-${colorScheme}.png`, animations: 'disabled' });
      if (colorScheme === 'light') {
        await visit(window, 'workshop'); await expect(window.getByText('No tools yet')).toBeVisible(); await shot('empty');
        await visit(window, 'workshop/executions'); await window.waitForTimeout(500); await shot('executions-empty');
      }
      await visit(window, 'workshop/new'); await window.waitForTimeout(600); await shot('new-choice');
      await window.getByRole('button', { name: /^Python/ }).click();
      await window.getByRole('textbox', { name: 'Name', exact: true }).fill('word_count_' + colorScheme);
      await window.getByRole('textbox', { name: 'Display name' }).fill('Word count');
      await window.getByRole('textbox', { name: 'Description', exact: true }).fill('Counts the words of a text.');
      await shot('new-details');
      await window.getByRole('tab', { name: /^Script/ }).click(); await window.waitForTimeout(500); await shot('new-script');
      await writeCode(window, 'Python script', 'import json, sys\n\ndef f(:\n  pass\n'); await window.waitForTimeout(2500); await shot('broken-script');
      await writeCode(window, 'Python script', 'import json, sys\na = json.load(sys.stdin)\nprint("so")\nsys.exit(3)\n'); await window.waitForTimeout(1500);
      await saveAs(window, 'Create tool', 'First.'); await expect(window.getByText('version 1', { exact: true })).toBeVisible();
      await window.getByRole('tab', { name: 'Test run' }).click();
      await window.getByRole('textbox', { name: /^text/ }).fill('to be'); await window.getByRole('button', { name: 'Run tool' }).click(); await expect(window.getByText(/ended with code 3/).first()).toBeVisible(); await shot('run-failed');
      await createTool(window, 'upper_' + colorScheme);
      await window.getByRole('tab', { name: /^Script/ }).click();
      await writeCode(window, 'Shell script', 'printf %s "$1" | tr "[:lower:]" "[:upper:]" | rev\n'); await saveAs(window, 'Save', 'Backwards.'); await expect(window.getByText('version 2', { exact: true })).toBeVisible();
      await window.getByRole('tab', { name: /^Versions/ }).click(); await expect(window.getByRole('textbox', { name: 'Script, version 1' })).toBeVisible(); await window.waitForTimeout(400); await shot('versions');
      await window.getByRole('tab', { name: /^Schema/ }).click(); await window.waitForTimeout(400); await shot('schema');
      await window.getByRole('button', { name: 'Activate' }).click();
      await window.getByRole('tab', { name: 'For models' }).click(); await window.waitForTimeout(500); await shot('for-models');
      await window.getByRole('tab', { name: 'Test run' }).click(); await window.getByRole('textbox', { name: /^text/ }).fill('to be'); await window.getByRole('button', { name: 'Run tool' }).click(); await expect(window.getByRole('region', { name: 'Output' })).toBeVisible(); await shot('run');
      await visit(window, 'workshop/executions'); await window.getByRole('grid', { name: 'Executions' }).getByText('Failed').first().click(); await window.waitForTimeout(400); await shot('executions');
      await visit(window, 'workshop'); await window.getByRole('button', { name: 'Serve', exact: true }).click(); await window.waitForTimeout(400); await shot('serve');
      await window.getByRole('button', { name: 'Start serving' }).click(); await window.getByRole('region', { name: 'Address' }).waitFor(); await shot('serving'); await window.getByRole('button', { name: 'Stop serving' }).click(); await expect(window.getByText('Not served')).toBeVisible();
      await visit(window, 'workshop?panel=categories'); await window.getByRole('textbox', { name: 'New category' }).fill('Texts ' + colorScheme); await window.getByRole('button', { name: 'Add category' }).click(); await window.waitForTimeout(500); await shot('categories');
      await visit(window, 'workshop?panel=settings'); await window.getByRole('textbox', { name: 'Python interpreter' }).fill('/nothing/here'); await window.getByRole('button', { name: 'Save settings' }).click(); await window.waitForTimeout(800);
      await visit(window, 'workshop?panel=settings'); await window.waitForTimeout(800); await shot('settings-no-python');
      await visit(window, 'workshop'); await window.getByText('word_count_' + colorScheme).first().click(); await window.getByRole('tab', { name: /^Script/ }).click(); await window.waitForTimeout(700); await shot('no-python-script');
      await window.getByRole('tab', { name: 'Test run' }).click(); await window.getByRole('textbox', { name: /^text/ }).fill('to be'); await window.getByRole('button', { name: 'Run tool' }).click(); await window.waitForTimeout(900); await shot('no-python-run');
      await visit(window, 'workshop?panel=settings'); await window.getByRole('textbox', { name: 'Python interpreter' }).fill(''); await window.getByRole('button', { name: 'Save settings' }).click(); await window.waitForTimeout(500);
      await visit(window, 'workshop');
      const chooser = window.waitForEvent('filechooser'); await window.getByRole('button', { name: 'Import', exact: true }).click();
      await (await chooser).setFiles([{ name: 'bad.tool.json', mimeType: 'application/json', buffer: Buffer.from('{"touchstone_tool":1,') }, { name: 'b.tool.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ touchstone_tool: 1, name: 'fine_tool', description: 'Fine.', executor_type: 'shell', executor_config: { command: 'true' } })) }]);
      await window.getByRole('dialog').waitFor(); await window.waitForTimeout(500); await shot('import');
      await window.getByRole('button', { name: 'Cancel' }).click();
      if (colorScheme === 'light') {
        const folder = join(host.workspace, 'many'); mkdirSync(folder);
        for (let i = 0; i < 10_000; i += 1) writeFileSync(join(folder, `t${i}.tool.json`), JSON.stringify({ touchstone_tool: 1, name: `tool_number_${i}`, description: `This tool has the number ${i}. `.repeat(i % 7 + 1), tags: ['many', `t${i % 5}`], executor_type: 'shell', executor_config: { command: 'true' } }));
        await host.command(['workshop', 'save', folder]);
      }
      await visit(window, 'workshop'); await expect(window.getByText(/10,00\d tools/)).toBeVisible(); await shot('many');
      await window.getByRole('searchbox', { name: 'Search tools' }).fill('number_77'); await window.waitForTimeout(600); await shot('many-search');
    });
  });
}
