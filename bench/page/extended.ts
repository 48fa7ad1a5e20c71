import { getFrameScheduler } from '../../src/dom/frames.js';
import * as marked from '../../src/markdown/extras/marked.js';
import * as sanitize from '../../src/markdown/extras/sanitize.js';
import { createMarkdownView } from '../../src/markdown/markdown-view.js';
import { EXTENSIONS } from './extensions.js';
import { makeStage } from './stage.js';
import { lastFrames, type MakeSubject } from './subject.js';

const modules = new Map<string, unknown>(Object.entries({ marked, sanitize }));

/** The renderer with two Markdown extensions. */
export const extended: MakeSubject = async ({ box }) => {
  const root = await makeStage(box);
  const view = createMarkdownView(root, {
    document,
    frames: getFrameScheduler(window),
    extensions: EXTENSIONS,
    loadExtra: (name) => Promise.resolve(modules.get(name)),
  });
  return {
    root,
    push: (chunk) => {
      view.append(chunk);
    },
    end: async () => {
      await view.end();
      // The extensions draw the last block after `view.end()` has resolved.
      await lastFrames(root);
    },
  };
};
