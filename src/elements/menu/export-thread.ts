import type { StreamController } from '../../controller/controller-types.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { lazyViews } from '../transcript/lazy-views.js';
import { listRenderers } from '../../message/parts/part-renderers.js';
import type { ExportFormat, ExportOptions } from '../../message/export/serialize-thread.js';

const lazySerializer = createLazyModule(() => import('../../message/export/serialize-thread.js'));

/**
 * Exports a branch of a thread, by default the shown one, as the text of a file: Markdown, JSON (see {@link ExportedThread}), or one self-contained, printable
 * HTML page without scripts, in which all text is escaped. Error details and activity, such as the progress of a tool, are omitted.
 *
 * Rejects with a `TypeError` for an unknown format, with a `RangeError` if the controller has no thread, and with a `UbikError` with the code
 * `load-failed` if the exporter cannot be loaded.
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
  const { listModules, serializeThread } = await lazySerializer.load();
  if (listRenderers(options.renderers).length > 0) {
    await (await lazyViews.load()).lazyHostPart.load();
  }
  // Data parts and tool calls are exported by code that is loaded with their views.
  for (const name of listModules(thread, options)) await (await lazyViews.load())[name].load();
  return serializeThread(thread, format, options);
}
