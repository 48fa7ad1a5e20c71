import DOMPurify from 'dompurify';
import { marked } from 'marked';
import * as smd from 'streaming-markdown';
import { makeStage } from './stage.js';
import type { MakeSubject } from './subject.js';

/** The feeder alone: receives every chunk and renders nothing. */
export const nothing: MakeSubject = ({ box }) => ({
  root: box,
  push: () => undefined,
  end: () => Promise.resolve(),
});

/** The common approach: renders the whole text with marked, DOMPurify and innerHTML for each chunk. */
export const naive: MakeSubject = async ({ box }) => {
  const root = await makeStage(box);
  let text = '';
  return {
    root,
    push: (chunk) => {
      text += chunk;
      root.innerHTML = DOMPurify.sanitize(marked.parse(text, { gfm: true, async: false }));
    },
    end: () => Promise.resolve(),
  };
};

/** streaming-markdown, used as in its documentation. */
export const streamingMarkdown: MakeSubject = async ({ box }) => {
  const root = await makeStage(box);
  const parser = smd.parser(smd.default_renderer(root));
  return {
    root,
    push: (chunk) => {
      smd.parser_write(parser, chunk);
    },
    end: () => {
      smd.parser_end(parser);
      return Promise.resolve();
    },
  };
};
