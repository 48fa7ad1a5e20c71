import type { TestContext } from 'node:test';

/** Replaces global values until the end of a test. */
export function replaceGlobals(
  context: TestContext,
  globals: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    context.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
  }
}
