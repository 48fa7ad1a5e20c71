import DOMPurify from 'dompurify';
import { marked } from 'marked';
import * as smd from 'streaming-markdown';
import type { MakeSubject } from './subject.js';

/** The feeder alone: takes every chunk and shows nothing. */
export const nothing: MakeSubject = ({ box }) => ({
  root: box,
  push: () => undefined,
  end: () => Promise.resolve(),
});

/** What most pages do: the whole text through marked, DOMPurify and innerHTML, for each chunk. */
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

/** streaming-markdown, as its manual shows it. */
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
