import type { StreamController } from '../../controller/controller-types.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import type { ExportFormat, ExportOptions } from '../../message/export/serialize-thread.js';

const lazyThreadFile = createLazyModule(() => import('../../message/export/serialize-thread.js'));

/**
 * Writes the shown way of a thread as a text, for a file: Markdown, JSON (see {@link ExportedThread}), or one HTML page that needs no
 * script, no network and nothing beside it, and prints well. What was said in it stays text, whatever it is. Details of errors and
 * what is still running are left out.
 *
 * Rejects with a `TypeError` for another format, with a `RangeError` when the controller shows no thread, and with a `UbikError`,
 * `load-failed`, when the file that does it cannot be fetched.
 *
 * @example
 * const page = await exportThread(controller, 'html', { lang: 'fr' });
 * link.href = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
 */
export async function exportThread(
  controller: StreamController,
  format: ExportFormat,
  options: ExportOptions = {},
): Promise<string> {
  if (!['markdown', 'json', 'html'].includes(format)) {
    throw new TypeError(
      `exportThread writes "markdown", "json" or "html", not "${String(format)}".`,
    );
  }
  const { thread } = controller;
  if (!thread) throw new RangeError('exportThread needs a controller that shows a thread.');
  const { serializeThread: serializeThread } = await lazyThreadFile.load();
  return serializeThread(thread, format, options);
}
