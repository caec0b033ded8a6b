import { EventEmitter } from 'node:events';

class FakeSession extends EventEmitter {
  permissionRequestHandler:
    ((contents: unknown, permission: string, answer: (granted: boolean) => void) => void) | null =
    null;
  permissionCheckHandler: ((...all: unknown[]) => boolean) | null = null;
  devicePermissionHandler: ((...all: unknown[]) => boolean) | null = null;
  beforeRequest:
    ((details: { url: string }, answer: (verdict: { cancel?: boolean }) => void) => void) | null =
    null;

  setPermissionRequestHandler(handler: NonNullable<FakeSession['permissionRequestHandler']>): void {
    this.permissionRequestHandler = handler;
  }

  setPermissionCheckHandler(handler: () => boolean): void {
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
