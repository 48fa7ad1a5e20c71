/** A whole conversation with the keyboard alone: nothing is clicked, and nothing is given the focus but by keys. */
import { after, before, describe, it } from 'node:test';
import { SIDES } from './keyboard-sides.js';
import { Story } from './keyboard-story.js';
import { TALK } from './keyboard-talk.js';

describe('one person with a keyboard', () => {
  let story: Story;
  let isLost = false;
  before(async () => {
    story = await Story.begin();
  });
  after(() => story.close());

  for (const [name, chapter] of Object.entries({ ...TALK, ...SIDES })) {
    it(name, async (context) => {
      // Those that go on from one that failed have nothing to tell.
      if (isLost) return context.skip('a chapter before this one has failed');
      isLost = true;
      await chapter(story);
      isLost = false;
    });
  }
});
