import DOMPurify from 'dompurify';
import { marked } from 'marked';
import * as smd from 'streaming-markdown';
import type { MakeSubject } from './subject.js';

/** The feeder alone: receives every chunk and renders nothing. */
export const nothing: MakeSubject = ({ box }) => ({
  root: box,
  push: () => undefined,
  end: () => Promise.resolve(),
});

/** The common approach: renders the whole text with marked, DOMPurify and innerHTML for each chunk. */
export const naive: MakeSubject = ({ box }) => {
  let text = '';
  return {
    root: box,
    push: (chunk) => {
      text += chunk;
      box.innerHTML = DOMPurify.sanitize(marked.parse(text, { gfm: true, async: false }));
    },
    end: () => Promise.resolve(),
  };
};

/** streaming-markdown, used as in its documentation. */
export const streamingMarkdown: MakeSubject = ({ box }) => {
  const parser = smd.parser(smd.default_renderer(box));
  return {
    root: box,
    push: (chunk) => {
      smd.parser_write(parser, chunk);
    },
    end: () => {
      smd.parser_end(parser);
      return Promise.resolve();
    },
  };
};
