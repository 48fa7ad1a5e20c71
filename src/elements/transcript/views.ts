import { messageStrings } from '../../locales/en-messages.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { createLazyModule } from '../../message/create-lazy-module.js';
import { partStyles } from '../../message/parts/part-views.js';
import { messageStyles } from '../styles/message.js';
import { printStyles } from '../styles/print.js';

addDefaultStrings(messageStrings);

export { lazyDataKinds } from '../../message/data/data-part-view.js';
export { lazyHostPart } from '../../message/parts/host-parts.js';
export { lazyErrorDetails } from '../../message/parts/error-view.js';
export { observeCitations } from '../../message/citation.js';
export {
  lazyAnswerForm,
  lazyRequestView,
  OnDemandRequestView,
  loadAnswerForm,
} from '../../message/request/lazy-request.js';
export { lazyToolContent, lazyToolDetailsView } from '../../message/tool/tool-view.js';
export { describeMessages } from './chat-state.js';
export { MessageList } from './message-list.js';

/** The content of `<ubik-message>`. */
export const lazyStandaloneMessage = createLazyModule(
  () => import('../../message/standalone-message.js'),
);

/** The module that executes the tools of the host page and shows their calls. */
export const lazyPageTools = createLazyModule(() => import('../tools/page-tools.js'));

/** The style sheets of messages and their parts. */
export const sheets = [messageStyles, ...partStyles, printStyles];
