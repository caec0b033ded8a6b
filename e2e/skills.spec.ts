import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

test('adds a folder of skills and shows the body and files of each', async ({ window }) => {
  const folder = await mkdtemp(join(tmpdir(), 'skills-'));
  try {
    await mkdir(join(folder, 'release-notes', 'scripts'), { recursive: true });
    await writeFile(
      join(folder, 'release-notes', 'SKILL.md'),
      '---\nname: release-notes\ndescription: Writes release notes from pull requests.\n---\n# Notes\nList <b>them</b>.\n',
    );
    await writeFile(join(folder, 'release-notes', 'scripts', 'list.sh'), 'git log --merges\n');
    await mkdir(join(folder, 'broken'));
    await writeFile(join(folder, 'broken', 'SKILL.md'), 'no frontmatter');
    await visit(window, 'tools');
    await window.getByRole('button', { name: 'Add server' }).first().click();
    await window.getByRole('textbox', { name: 'Name' }).fill('my-skills');
    await window.getByText('Skills folder', { exact: true }).click();
    await window.getByRole('textbox', { name: 'Folder' }).fill(folder);
    await window.getByRole('button', { name: 'Add server' }).last().click();
    await window.getByRole('link', { name: 'my-skills' }).click();
    await expect(window.getByText('1 skill', { exact: true }).first()).toBeVisible();
    await expect(window.getByText(/SKILL\.md, line 1/)).toBeVisible();
    await window.getByText('release-notes', { exact: true }).first().click();
    await expect(window.getByText('List <b>them</b>.')).toBeVisible();
    await expect(window.getByText('git log --merges')).toBeVisible();
    await expectAccessible(window);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('proposes the folder of skills next to a configuration that was found', async ({
  window,
  host,
}) => {
  const claude = join(host.workspace, 'config', 'Claude');
  const skill = join(claude, '.claude', 'skills', 'greet');
  try {
    await mkdir(skill, { recursive: true });
    await writeFile(
      join(claude, 'claude_desktop_config.json'),
      JSON.stringify({ mcpServers: { notes: { command: 'notes-server' } } }),
    );
    await writeFile(
      join(skill, 'SKILL.md'),
      '---\nname: greet\ndescription: Greets a person.\n---\nGreet them.\n',
    );
    await visit(window, 'servers/import');
    await window.getByRole('button', { name: /^Preview .*claude_desktop_config\.json$/ }).click();
    await expect(window.getByText(/has 1 skill\. Add the folder as a server/)).toBeVisible();
    await expectAccessible(window);
    await window.getByRole('button', { name: 'Add skills folder' }).click();
    await expect(window.getByText('Added 1 skill as the server skills.')).toBeVisible();
  } finally {
    await rm(claude, { recursive: true, force: true });
  }
});
