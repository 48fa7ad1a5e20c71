/** Registers Streamdown, used as in its documentation, as a subject. A separate script, so that React is not in the page of other subjects. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Streamdown } from 'streamdown';
import { makeStage } from '../page/stage.js';
import { lastFrames } from '../page/subject.js';

window.benchSubjects.set('streamdown', async ({ box }) => {
  const stage = await makeStage(box);
  const root = createRoot(stage);
  let text = '';
  const render = () => {
    root.render(createElement(Streamdown, { children: text }));
  };
  return {
    root: stage,
    push: (chunk) => {
      text += chunk;
      render();
    },
    end: () => lastFrames(stage),
  };
});
