import { EventEmitter } from 'node:events';

export class FakeFrame {
  url: string;
  parent: FakeFrame | null = null;
  detached = false;
  constructor(url: string) {
    this.url = url;
  }
}

export class FakeWebContents extends EventEmitter {
  static #count = 0;
  readonly id = (FakeWebContents.#count += 1);
  mainFrame = new FakeFrame('touchstone://app/');
  loading = false;
  reloads = 0;
  readonly sent: { channel: string; message: unknown }[] = [];
  windowOpenHandler: ((details: { url: string }) => { action: string }) | null = null;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  isLoading(): boolean {
    return this.loading;
  }

  reload(): void {
    this.reloads += 1;
  }

  send(channel: string, message: unknown): void {
    this.sent.push({ channel, message });
  }
}
