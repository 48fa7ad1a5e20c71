import { after, before, type TestContext } from 'node:test';

/** The part of a test's context that a shared fixture has as well. */
export type FixtureContext = Pick<TestContext, 'after'>;

/**
 * Sets up one fixture for all tests of a file, such as a server that takes longer to start than most of these tests. Its tests act as
 * different users. Returns a function that returns the fixture during a test. `setup` may call `after` once.
 */
export function shareFixture<T extends object>(
  setup: (context: FixtureContext) => Promise<T>,
): () => T {
  let fixture: T | undefined;
  let close: (() => unknown) | undefined;
  before(async () => {
    fixture = await setup({ after: (end) => void (close = end as () => unknown) });
  });
  after(() => close?.());
  return () => {
    if (fixture === undefined) throw new Error('The shared fixture is used outside of a test.');
    return fixture;
  };
}
