import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSqlTable, openSqlDatabase } from '../../demo/agent/tools/sql-database.js';

const ENDLESS =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

test('SQL database returns all columns of a result that has several of the same name', async (context) => {
  const database = openSqlDatabase([createSqlTable('numbers', ['value INT'], [[7], [8]])]);
  context.after(() => database.close());
  for (const [sql, columns, rows] of [
    ['SELECT 1 AS a, 2 AS a', ['a', 'a:1'], [[1, 2]]],
    [
      'SELECT one.value, other.value FROM numbers AS one, numbers AS other ORDER BY 1 DESC, 2; ',
      ['value', 'value:1'],
      [
        [8, 7],
        [8, 8],
        [7, 7],
        [7, 8],
      ],
    ],
    ['WITH n AS (SELECT 1 AS a) SELECT a, a FROM n -- twice', ['a', 'a:1'], [[1, 1]]],
    ['VALUES (1, 2)', ['column1', 'column2'], [[1, 2]]],
  ] as const) {
    assert.deepEqual(await database.query(sql, []), { columns, rows, more: false }, sql);
  }
});

test('SQL database answers a query that was started after the worker was ended', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const database = openSqlDatabase([]);
  context.after(() => database.close());
  let isEnded = false;
  const endless = assert
    .rejects(database.query(ENDLESS, []), /longer than four seconds/u)
    .finally(() => (isEnded = true));
  const waiting = assert.rejects(database.query('SELECT 1 AS a', []), /stopped unexpectedly/u);
  // The time counts from the moment in which the worker starts the query.
  while (!isEnded) {
    context.mock.timers.tick(4000);
    await new Promise(setImmediate);
  }
  await endless;
  const next = database.query('SELECT 2 AS a', []);
  await waiting;
  // The query before has started a new worker, which executes this one, too.
  const last = database.query('SELECT 3 AS a', []);
  assert.deepEqual((await next).rows, [[2]]);
  assert.deepEqual((await last).rows, [[3]]);
});

test('SQL database does not count the time in which the worker starts', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const database = openSqlDatabase([]);
  context.after(() => database.close());
  const result = database.query('SELECT 1 AS a', []);
  context.mock.timers.tick(10_000);
  assert.deepEqual((await result).rows, [[1]]);
});
