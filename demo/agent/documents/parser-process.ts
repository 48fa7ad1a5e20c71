import { fork, type ChildProcess } from 'node:child_process';
import { ServerClosedError } from '../run/run-errors.js';
import type { TextPage } from './split-into-passages.js';
import { UnreadableFileError } from './unreadable-file-error.mjs';

/** Kinds of files whose text can be much larger than the file, or expensive to extract. */
export type ParsedKind = 'docx' | 'html' | 'json' | 'pdf';

/** Resource limits for one file. */
export interface ParserLimits {
  /** Timeout in ms; 30,000 by default. */
  readonly milliseconds?: number;
  /** Maximum memory of the process, in bytes; 512 MiB by default. */
  readonly memory?: number;
  /** Maximum length of the text; 5,000,000 by default. */
  readonly characters?: number;
}

/**
 * Parses each file in a separate process, so that the server keeps handling requests and a crash affects one
 * file only. The process does not inherit the environment variables of the server.
 */
export class ParserProcess {
  readonly #limits: Required<ParserLimits>;
  readonly #running = new Set<ChildProcess>();
  #closed = false;

  constructor(limits: ParserLimits = {}) {
    this.#limits = { milliseconds: 30_000, memory: 512 * 2 ** 20, characters: 5e6, ...limits };
  }

  /**
   * Parses one file. Rejects with `UnreadableFileError` if it cannot be parsed within the limits, with `ServerClosedError` after
   * `close()`.
   */
  parse(kind: ParsedKind, content: string | Uint8Array): Promise<readonly TextPage[]> {
    if (this.#closed) return Promise.reject(new ServerClosedError());
    const { milliseconds, memory, characters } = this.#limits;
    const child = fork(new URL('./parser-process-main.mjs', import.meta.url), {
      execArgv: [`--max-old-space-size=${String(Math.ceil(memory / 2 ** 20))}`],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#running.add(child);
    return new Promise<readonly TextPage[]>((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, milliseconds);
      child.once('message', (answer: { pages?: TextPage[]; reason?: string }) => {
        if (answer.pages === undefined) reject(new UnreadableFileError(answer.reason));
        else resolve(answer.pages);
        // The child is killed instead of exiting by itself, because its `exit` event could arrive before the message.
        child.kill('SIGKILL');
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        this.#running.delete(child);
        if (this.#closed) reject(new ServerClosedError());
        else if (isLate) reject(new UnreadableFileError('The file takes too long to read.'));
        else if (signal !== null)
          reject(new UnreadableFileError('The file takes too much memory to read.'));
        else reject(new Error(`The parser has ended with code ${String(code)}.`));
      });
      // Ignores errors of sending: if the process has exited, its exit event reports that.
      child.send({ kind, content, maxCharacters: characters, maxMemory: memory }, () => undefined);
    });
  }

  /** Kills all running processes. */
  close(): void {
    this.#closed = true;
    for (const child of this.#running) child.kill('SIGKILL');
  }
}
