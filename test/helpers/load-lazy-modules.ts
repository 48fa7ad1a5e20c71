import './load-lazy-actions.js';
import { findContentFormat } from '../../src/controller/registry.js';
import '../../src/define.js';
import { lazySuggestions } from '../../src/elements/composer/composer-tools.js';
import { lazyTools } from '../../src/elements/composer/lazy-composer-tools.js';
import { lazyMessageOptions } from '../../src/elements/composer/lazy-message-options.js';
import {
  lazyKeyboardShortcuts,
  lazyFocusRestorer,
  lazyRegionNavigation,
  lazyShortcutsDialog,
} from '../../src/elements/keyboard/lazy-keyboard.js';
import { lazyViews } from '../../src/elements/transcript/lazy-views.js';
import { lazyRunAnnouncer } from '../../src/elements/announcements/lazy-announcer.js';
import { lazyCitationCard } from '../../src/message/citation.js';
import { lazyMarkdown } from '../../src/message/lazy-markdown.js';
import { lazyActionTools } from '../../src/message/branches/lazy-action-tools.js';
import { lazyUsageLine, lazyVersionPager } from '../../src/message/branches/message-actions.js';
import { lazyToolContent, lazyToolDetailsView } from '../../src/message/tool/tool-view.js';
import { lazyRunSummary } from '../../src/message/message-view.js';
import { lazyRestoreOrigin } from '../../src/message/message-header.js';
import { lazyMessageActions } from '../../src/message/message-footer.js';
import { lazyHostPart } from '../../src/message/parts/host-parts.js';
import { lazyRequestView } from '../../src/message/request/lazy-request.js';
import { lazyErrorDetails } from '../../src/message/parts/error-view.js';

// Loads lazy modules of elements and messages before the tests, so that tests of rendered elements need not wait for them.
before(() =>
  Promise.all([
    import('../../src/elements/checkpoints/checkpoints-panel.js'),
    import('../../src/elements/checkpoints/compare-dialog.js'),
    lazyKeyboardShortcuts.load(),
    lazyFocusRestorer.load(),
    lazyRegionNavigation.load(),
    lazyShortcutsDialog.load(),
    lazyTools.load(),
    lazySuggestions.load(),
    lazyMessageOptions.load(),
    import('../../src/elements/menu/message-menu.js'),
    import('../../src/elements/transcript/virtualizer.js'),
    lazyViews
      .load()
      .then(({ lazyPageTools, lazyStandaloneMessage }) =>
        Promise.all([lazyPageTools.load(), lazyStandaloneMessage.load()]),
      ),
    lazyRunAnnouncer.load(),
    lazyMessageActions.load(),
    lazyActionTools.load(),
    lazyUsageLine.load(),
    lazyVersionPager.load(),
    lazyErrorDetails.load(),
    lazyHostPart.load(),
    lazyRestoreOrigin.load(),
    lazyRequestView.load(),
    lazyRunSummary.load(),
    lazyCitationCard.load(),
    lazyMarkdown.load(),
    lazyToolContent.load(),
    lazyToolDetailsView.load(),
    import('../../src/elements/sides/tool-details.js'),
    findContentFormat('ubik'),
  ]),
);
