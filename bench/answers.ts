import { printEvent } from '../test/helpers/stub-service.js';

/** A text that the service streams. */
export interface Answer {
  readonly chunks: readonly string[];
  /** Chunks per second; `fast`: one each time that a timer fires. */
  readonly rate: number | 'fast';
}

/** The answers that the UBIK service streams during a run of the benchmark. */
export interface Answers {
  /** Each iteration yields the events of the next answer. */
  readonly stream: AsyncIterable<string>;
  /** Begins to send the chunks of the current answer. Until it is called, only the first event of the answer is sent. */
  begin(): void;
  /** Ends all streams. */
  abort(): void;
}

/** Creates the streams of some answers, one per message, as server-sent events of UBIK. */
export function createAnswers(answers: readonly Answer[]): Answers {
  const waiting = [...answers];
  let begin = (): void => undefined;
  let isAborted = false;
  async function* streamNext(): AsyncGenerator<string> {
    const { chunks, rate } = waiting.shift() ?? { chunks: [], rate: 'fast' };
    const begun = new Promise<void>((resolve) => (begin = resolve));
    yield printEvent('connection_established', { task_id: 't1' });
    await begun;
    const start = performance.now();
    for (let sent = 0; sent < chunks.length && !isAborted;) {
      const due =
        rate === 'fast' ? sent + 1 : Math.floor(((performance.now() - start) * rate) / 1000);
      for (; sent < Math.min(due, chunks.length); sent += 1) {
        yield printEvent('response_chunk', { content: chunks[sent] });
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    yield printEvent('agent_processing_complete', { message_id: 'm1', content: '' });
  }
  return {
    stream: { [Symbol.asyncIterator]: streamNext },
    begin: () => {
      begin();
    },
    abort: () => {
      isAborted = true;
      begin();
    },
  };
}
