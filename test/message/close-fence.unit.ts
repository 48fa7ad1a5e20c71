import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeFence } from '../../src/message/close-fence.js';

test('closeFence closes the fence at the end of a text, and nothing else', () => {
  for (const [text, closing] of [
    ['', ''],
    ['a ```', ''],
    ['```js\nx', '\n```'],
    ['```js\nx\n\n```', ''],
    ['```\n```js\n', '\n```'],
    ['````\n```\nx', '\n````'],
    ['```\n~~~~', '\n```'],
    ['~~~ a`b\n```\nx', '\n~~~'],
    ['``` a`b\nx', ''],
    ['```\n- ```\n> ```', '\n```'],
    ['  ```\nx', '\n  ```'],
    ['  ```\nx\n ```', ''],
    ['```markdown\n1. Step\n\n    ```bash\n    npm i\n    ```\n\n```', ''],
    ['    ```\nx', ''],
    ['\t```\nx', ''],
  ] as const) {
    assert.equal(closeFence(text), text + closing, JSON.stringify(text));
  }
});

test('closeFence closes a fence inside its quote or list item, unless the fence has ended with it', () => {
  for (const [text, closing] of [
    ['> ```\n> x', '\n> ```'],
    ['> ```\n> x\n> ```', ''],
    ['> ```\n> x\n\nb', ''],
    ['> ```\n> x\n```\nb', '\n```'],
    ['- ```\n  x\n\n  y', '\n  ```'],
    ['1. a\n   ```\n   x', '\n   ```'],
    ['1. a\n   ```\n   x\n   ```', ''],
    ['* - ~~~\n    x', '\n    ~~~'],
    ['+ ```\n  x\n\nb', ''],
    ['- ```\n  x\n- b', ''],
    ['1. a\n  ```\nx\n  ```', ''],
    ['1. a\n\n       ```\n       x', ''],
    ['2) a\n\n```\nx', '\n```'],
    ['- a\n\nb\n\n  ```\nx', '\n  ```'],
    ['> b\n\n  ```\nx', '\n  ```'],
  ] as const) {
    assert.equal(closeFence(text), text + closing, JSON.stringify(text));
  }
});
