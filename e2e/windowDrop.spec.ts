import { mkdir, truncate, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expectAccessible } from './accessibility.ts';
import { expect, test, visit } from './fixtures.ts';

const configuration = JSON.stringify({
  mcpServers: { weather: { command: 'weather-mcp' }, maps: { url: 'https://maps.example/mcp' } },
});

/** Drags files and folders of the disk over the window, as a file manager does, and drops them. */
async function dragOver(page: Page, ...files: string[]): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', {
      type,
      x: 640,
      y: 400,
      data: { items: [], files, dragOperationsMask: 1 },
    });
  await send('dragEnter');
  // A file manager repeats this as long as the files are over the window.
  await expect(async () => {
    await send('dragOver');
    await expect(page.getByText('Drop to import the servers of this file')).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  return async () => {
    await send('drop');
    await session.detach();
  };
}

async function dropAt(page: Page, path: string, ...files: string[]): Promise<void> {
  await visit(page, path);
  const drop = await dragOver(page, ...files);
  await drop();
  await expect(page.getByText('Drop to import the servers of this file')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Import servers' })).toBeVisible();
}

const importButton = (page: Page) => page.getByRole('button', { name: 'Import 2 servers' });

test('a configuration that is dropped on any page opens the import with it', async ({
  window,
}, info) => {
  const file = info.outputPath('mcp.json');
  await writeFile(file, configuration);
  for (const path of ['', 'tools', 'suites', 'results', 'workshop', 'settings', 'tools/import']) {
    await dropAt(window, path, file);
    await expect(importButton(window)).toBeVisible();
  }
  await expectAccessible(window);
});

test('says what is wrong with a drop that can’t be read, and takes the next one', async ({
  window,
}, info) => {
  const [good, malformed, image, huge, folder] = [
    'mcp.json',
    'broken.json',
    'picture.png',
    'huge.json',
    'folder',
  ].map((name) => info.outputPath(name)) as [string, string, string, string, string];
  await writeFile(good, configuration);
  await writeFile(malformed, '{\n  "mcpServers": { "a": { "command": }\n}');
  await writeFile(image, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]));
  await writeFile(huge, '');
  await truncate(huge, 200 * 1024 * 1024);
  await mkdir(folder);
  const live = window.getByRole('main').locator('[aria-live="polite"]');
  const drops: [files: string[], says: RegExp][] = [
    [[malformed], /Line 2\b/i],
    [[image], /“picture\.png” can’t be read/u],
    [[huge], /“huge\.json” is larger than \d+ MB/u],
    [[folder], /“folder” can’t be read\. It may be a folder/u],
    [[good, malformed], /2 files were dropped\. Drop one at a time\./u],
  ];
  for (const [files, says] of drops) {
    await dropAt(window, '', ...files);
    await expect(live).toContainText(says);
    await expect(importButton(window)).toBeHidden();
  }
  const area = window.getByText('Drop a configuration or a bundle (.mcpb) here, or');
  const box = await area.boundingBox();
  expect(box).not.toBeNull();
  await dropAt(window, '', good);
  await expect(importButton(window)).toBeVisible();
});

test('a configuration that is pasted outside of a field opens the import with it', async ({
  window,
}) => {
  const paste = (text: string) =>
    window.evaluate((given) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', given);
      (document.activeElement ?? document.body).dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  for (const text of [
    configuration,
    `// of a client\n${configuration}`,
    '[mcp_servers.weather]\ncommand = "weather-mcp"\n[mcp_servers.maps]\nurl = "https://maps.example/mcp"\n',
    'mcpServers:\n  - name: weather\n    command: weather-mcp\n  - name: maps\n    type: streamable-http\n    url: https://maps.example/mcp\n',
  ]) {
    await visit(window, 'suites');
    await paste(text);
    await expect(window.getByRole('heading', { level: 1, name: 'Import servers' })).toBeVisible();
    await expect(importButton(window)).toBeVisible();
  }
  // A text that is no configuration, and any text in a field, stays where it is.
  await visit(window, 'tools');
  await paste('{"city":"Bern"}');
  await window.getByRole('searchbox').or(window.getByRole('textbox')).first().focus();
  await paste(configuration);
  await expect(window.locator('main[data-screen="/tools"]')).toBeVisible();
});
