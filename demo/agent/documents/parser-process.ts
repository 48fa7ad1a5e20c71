import { fork, type ChildProcess } from 'node:child_process';
import { Closed } from '../run/signals.js';
import type { TextPage } from './passages.js';
import { Unreadable } from './unreadable.mjs';

/** Kinds of files whose text can be far larger, or far dearer to come by, than the file. */
export type ParsedKind = 'html' | 'json' | 'pdf';

/** What one file may take. */
export interface ParserLimits {
  /** Half a minute by default. */
  readonly milliseconds?: number;
  /** Bytes of the whole process, 512 MiB by default. */
  readonly memory?: number;
  /** Characters of text, 5,000,000 by default. */
  readonly characters?: number;
}

/**
 * Reads files apart from the server, each in a process of its own: the server goes on answering meanwhile, and what goes wrong with one
 * file ends with it. The process knows nothing of the server's environment.
 */
export class ParserProcess {
  readonly #limits: Required<ParserLimits>;
  readonly #running = new Set<ChildProcess>();
  #closed = false;

  constructor(limits: ParserLimits = {}) {
    this.#limits = { milliseconds: 30_000, memory: 512 * 2 ** 20, characters: 5e6, ...limits };
  }

  /** Reads one file. Rejects with `Unreadable` when it cannot be read within the limits, with `Closed` when this was closed. */
  parse(kind: ParsedKind, content: string | Uint8Array): Promise<readonly TextPage[]> {
    if (this.#closed) return Promise.reject(new Closed());
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
        if (answer.pages === undefined) reject(new Unreadable(answer.reason));
        else resolve(answer.pages);
        // It ends by our hand only: an exit of its own could be heard of before its answer.
        child.kill('SIGKILL');
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        this.#running.delete(child);
        if (this.#closed) reject(new Closed());
        else if (isLate) reject(new Unreadable('The file takes too long to read.'));
        else if (signal !== null) reject(new Unreadable('The file takes too much memory to read.'));
        else reject(new Error(`The parser has ended with code ${String(code)}.`));
      });
      // A process that has ended meanwhile says so by its exit.
      child.send(
        { kind, content, mostCharacters: characters, mostMemory: memory },
        () => undefined,
      );
    });
  }

  /** Ends what is being read. */
  close(): void {
    this.#closed = true;
    for (const child of this.#running) child.kill('SIGKILL');
  }
}
