import { EventEmitter } from 'node:events';

interface Asked {
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

export const session = { defaultSession: new FakeSession() };

export function forgetSession(): void {
  session.defaultSession = new FakeSession();
}
