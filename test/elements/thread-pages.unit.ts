import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThreadPages } from '../../src/elements/threads/thread-pages.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';

/** Pages of a controller whose requests are recorded; `failWith` rejects the next one. */
function setup(pageCount = 3) {
  const requested: number[] = [];
  const reported: string[] = [];
  let error: Error | null = null;
  const controller = {
    listThreads: async ({ page, limit }: { page: number; limit: number }) => {
      await Promise.resolve();
      assert.equal(limit, 50);
      requested.push(page);
      const thrown = error;
      error = null;
      if (thrown) throw thrown;
      return { items: [], total: null, hasMore: page < pageCount };
    },
  };
  const pages = new ThreadPages(controller as never, ({ code }) => reported.push(code));
  return {
    pages,
    requested,
    reported,
    failWith: (next: UbikErrorCode | Error) => {
      error = typeof next === 'string' ? new UbikError(next) : next;
    },
  };
}

test('thread pages load one page after the other until the last one', async () => {
  const { pages, requested } = setup(2);
  assert.deepEqual([pages.hasMore, pages.isLoading], [true, false]);
  const loading = pages.loadMore();
  assert.equal(pages.isLoading, true);
  await Promise.all([loading, pages.loadMore()]);
  assert.deepEqual([pages.hasMore, pages.isLoading, requested], [true, false, [1]]);
  await pages.loadMore();
  assert.deepEqual([pages.hasMore, requested], [false, [1, 2]]);
});

test('thread pages request a page again that failed, and report its error unless it was aborted', async () => {
  const { pages, requested, reported, failWith } = setup();
  failWith('server');
  await pages.loadMore();
  assert.deepEqual([pages.failure?.code, reported], ['server', ['server']]);
  failWith('aborted');
  await pages.loadMore();
  assert.deepEqual([pages.failure?.code, reported], ['aborted', ['server']]);
  await pages.loadMore();
  assert.deepEqual([pages.failure, requested], [null, [1, 1, 1]]);
  await pages.loadMore();
  assert.deepEqual(requested, [1, 1, 1, 2]);
});

test('thread pages reject with an error that does not come from the service', async () => {
  const { pages, failWith } = setup();
  failWith(new TypeError('A defect.'));
  await assert.rejects(pages.loadMore(), TypeError);
  assert.equal(pages.isLoading, false);
});

test('thread pages load the last page again after a deletion', async () => {
  const { pages, requested } = setup();
  pages.rewind();
  await pages.loadMore();
  await pages.loadMore();
  pages.rewind();
  await pages.loadMore();
  assert.deepEqual(requested, [1, 2, 2]);
});

test('thread pages load a page and the one before it again after a deletion during the request', async () => {
  const { pages, requested, failWith } = setup();
  let loading = pages.loadMore();
  pages.rewind();
  await loading;
  await pages.loadMore();
  await pages.loadMore();
  loading = pages.loadMore();
  pages.rewind();
  await loading;
  assert.equal(pages.hasMore, true);
  await pages.loadMore();
  failWith('server');
  loading = pages.loadMore();
  pages.rewind();
  await loading;
  await pages.loadMore();
  assert.deepEqual(requested, [1, 1, 2, 3, 2, 3, 2]);
});

test('thread pages refresh the first page without reporting an error, and then load the page that was the next one', async () => {
  const { pages, requested, reported, failWith } = setup();
  await pages.loadMore();
  failWith('server');
  await pages.refresh();
  await pages.loadMore();
  assert.deepEqual([requested, reported, pages.failure], [[1, 1, 2], [], null]);
});
