import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ReplyPath } from '../../../../src/backends/data-agent/patched-reply.js';
import {
  ALL_SECTIONS,
  findAppended,
  findChangedSections,
  isBlankContent,
  replacesContent,
  ChangedSections,
  type SectionChange,
} from '../../../../src/backends/data-agent/projection/changed-sections.js';

/** Sections as `name[index] path`. */
function sectionsOf(...path: ReplyPath): string[] {
  return findChangedSections({ path, appended: null }).map(({ section, index, path: inner }) =>
    `${section}${index === null ? '' : `[${String(index)}]`} ${inner}`.trim(),
  );
}

const MIDDLE = ['message', 'content', 'middle_answer'];
const FINAL = ['message', 'content', 'final_answer'];

suite('sections of a changed path', () => {
  const cases: readonly (readonly [path: ReplyPath, sections: readonly string[]])[] = [
    [['error'], ['error']],
    [['error', 'BaseError', 'description'], ['error BaseError/description']],
    [['message', 'ext', 'error'], ['error']],
    [['message', 'ext'], ['error']],
    [['message', 'ext', 'total_time'], []],
    [['message', 'id'], []],
    [['conversation_id'], []],
    [[...MIDDLE, 'progress', 3], ['step[3]']],
    [[...MIDDLE, 'progress', '3'], ['step[3]']],
    [[...MIDDLE, 'progress', 3, 'answer'], ['step[3] answer']],
    [[...MIDDLE, 'progress', 3, 'answer', 'result', 'data', 0], ['step[3] answer/result/data/0']],
    [[...MIDDLE, 'progress', 3, 'token_usage', 'total_tokens'], []],
    [[...MIDDLE, 'progress', 3, 'block_answer'], []],
    [[...MIDDLE, 'progress'], ['step']],
    [[...MIDDLE, 'progress', 'name'], []],
    [[...MIDDLE, 'doc_retrieval', 'text'], ['sources text']],
    [[...MIDDLE, 'other_variables', 'search_results', 0], ['sources 0']],
    [[...MIDDLE, 'other_variables', 'search_querys', 0], ['sources 0']],
    [[...MIDDLE, 'other_variables', 'search_queries', 0], ['sources 0']],
    [[...MIDDLE, 'other_variables', 'hints'], []],
    [[...FINAL, 'answer', 'text'], ['answer']],
    [[...FINAL, 'answer', 'ask'], ['data']],
    [
      [...FINAL, 'answer'],
      ['answer', 'data'],
    ],
    [[...FINAL, 'thinking'], ['thinking']],
    [[...FINAL, 'skill_process', 1, 'text'], ['process[1] text']],
    [[...FINAL, 'answer_type_other', 'verdict'], ['data verdict']],
    [[...FINAL, 'query'], []],
    [MIDDLE, ['step', 'sources']],
  ];
  for (const [path, sections] of cases) {
    test(`${path.join('.')} changes ${sections.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(sectionsOf(...path), sections);
    });
  }

  test('the reply as a whole changes every section', () => {
    const all = ALL_SECTIONS.map(({ section }) => section);
    assert.deepEqual(sectionsOf(), all);
    assert.deepEqual(
      new Set(all),
      new Set(['step', 'sources', 'process', 'thinking', 'answer', 'data', 'error']),
    );
  });

  test('an appended text is returned with its section', () => {
    const path = [...MIDDLE, 'progress', 0, 'think'];
    assert.deepEqual(findChangedSections({ path, appended: 'more' }), [
      { section: 'step', index: 0, path: 'think', appended: 'more' },
    ]);
  });

  test('only the reply, the message and its content are replaced as a whole', () => {
    const replaces = (...path: ReplyPath) => replacesContent({ path, appended: null });
    assert.ok(replaces() && replaces('message') && replaces('message', 'content'));
    assert.ok(!replaces('error') && !replaces('message', 'ext') && !replaces(...MIDDLE));
  });
});

suite('changed sections of a batch', () => {
  const createChange = (index: number | null, path = ''): SectionChange => ({
    section: 'step',
    index,
    path,
    appended: null,
  });

  test('a change of all entries changes each of them', () => {
    const changed = new ChangedSections([createChange(1, 'think'), createChange(null)]);
    assert.deepEqual(
      [...changed.ofEntries('step', 2)],
      [
        [1, [createChange(1, 'think'), createChange(null)]],
        [0, [createChange(null)]],
      ],
    );
  });

  test('an entry that does not exist is omitted', () => {
    const changed = new ChangedSections([createChange(2), createChange(3), createChange(99_999)]);
    assert.deepEqual([...changed.ofEntries('step', 3).keys()], [2]);
  });
});

suite('growth of a string', () => {
  const grown = (path: string, appended: string): SectionChange => ({
    section: 'step',
    index: 0,
    path,
    appended,
  });
  const replaced = (path: string): SectionChange => ({ ...grown(path, ''), appended: null });

  test('chunks are joined in their order', () => {
    assert.equal(findAppended([grown('a', 'b'), grown('a', 'c')], 'a', 'a', 'abc'), 'bc');
  });

  test('changes of other paths are ignored', () => {
    const changes = [grown('a', 'b'), replaced('b'), replaced('a/c'), grown('ab', 'x')];
    assert.equal(findAppended(changes, 'a', 'a', 'ab'), 'b');
  });

  test('a string that was replaced has not grown, even if its length fits', () => {
    assert.equal(findAppended([replaced('a'), grown('a', 'c')], 'a', 'x', 'bc'), null);
    assert.equal(findAppended([grown('a/b', 'c'), replaced('a')], 'a/b', 'x', 'bc'), null);
    assert.equal(findAppended([grown('a', 'c'), replaced('')], 'a', 'x', 'bc'), null);
  });

  test('chunks that do not lead to the current string are not used', () => {
    assert.equal(findAppended([grown('a', 'bc')], 'a', 'a', 'ab'), null);
  });
});

suite('blank content of a message', () => {
  for (const content of [null, undefined, 'text', 5, [1], {}, { a: '', b: null }])
    test(`${JSON.stringify(content) ?? 'undefined'} is blank`, () => {
      assert.equal(isBlankContent(content), true);
    });

  test('an object with a value is not blank', () => {
    assert.equal(isBlankContent({ a: '', b: 1 }), false);
  });
});
