import { EventEmitter } from 'node:events';
import { app } from './app.ts';

export interface Asked {
  isMainFrame: boolean;
  requestingUrl: string;
}

class FakeSession extends EventEmitter {
  permissionRequestHandler:
    | ((
        contents: unknown,
        permission: string,
        answer: (granted: boolean) => void,
        details: Asked,
      ) => void)
    | null = null;
  permissionCheckHandler:
    ((contents: unknown, permission: string, origin: string, details: Asked) => boolean) | null =
    null;
  devicePermissionHandler: ((...all: unknown[]) => boolean) | null = null;
  beforeRequest:
    ((details: { url: string }, answer: (verdict: { cancel?: boolean }) => void) => void) | null =
    null;

  /** Without a listener, every request is let through. */
  askBeforeRequest(details: { url: string; method: string }): Promise<{ cancel?: boolean }> {
    const { beforeRequest } = this;
    return beforeRequest === null
      ? Promise.resolve({})
      : new Promise((resolve) => beforeRequest(details, resolve));
  }

  setPermissionRequestHandler(handler: NonNullable<FakeSession['permissionRequestHandler']>): void {
    this.permissionRequestHandler = handler;
  }

  setPermissionCheckHandler(handler: NonNullable<FakeSession['permissionCheckHandler']>): void {
    this.permissionCheckHandler = handler;
  }

  setDevicePermissionHandler(handler: () => boolean): void {
    this.devicePermissionHandler = handler;
  }

  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<FakeSession['beforeRequest']>): void => {
      this.beforeRequest = handler;
    },
  };
}

let current = new FakeSession();

export const session = {
  /** “The session module can only be used after the ready event.” Sessions are made then. */
  get defaultSession(): FakeSession {
    app.onlyAfterReady('Session');
    return current;
  },
};

export function forgetSession(): void {
  current = new FakeSession();
}
