import { getFrameScheduler } from '../../src/dom/frames.js';
import { createMarkdownView } from '../../src/markdown/markdown-view.js';
import { makeStage } from './stage.js';
import type { MakeSubject } from './subject.js';

/** The renderer without an element. */
export const bare: MakeSubject = async ({ box }) => {
  const root = await makeStage(box);
  const view = createMarkdownView(root, { document, frames: getFrameScheduler(window) });
  return {
    root,
    push: (chunk) => {
      view.append(chunk);
    },
    end: () => view.end(),
  };
};
