import { findContentFormat } from '../../src/controller/registry.js';
import '../../src/define.js';
import { deferredTools } from '../../src/elements/composer/lazy-composer-tools.js';
import { deferredKeys } from '../../src/elements/keys/lazy-keyboard.js';
import { deferredKeeper, deferredRegions } from '../../src/elements/keys/element-keys.js';
import { deferredViews } from '../../src/elements/views/deferred-views.js';
import { deferredSpeaker } from '../../src/elements/views/live-region.js';
import { lazyMarkdown } from '../../src/message/lazy-markdown.js';
import { lazyMessageActions } from '../../src/message/message-footer.js';

// Tests that look at what is drawn begin when everything that draws is there.
before(() =>
  Promise.all([
    import('../../src/elements/checkpoints/checkpoints-panel.js'),
    import('../../src/elements/checkpoints/compare-dialog.js'),
    deferredKeys.load(),
    deferredKeeper.load(),
    deferredRegions.load(),
    deferredTools.load(),
    import('../../src/elements/menu/message-menu.js'),
    import('../../src/elements/transcript/long-thread.js'),
    deferredViews.load(),
    deferredSpeaker.load(),
    lazyMessageActions.load(),
    lazyMarkdown.load(),
    findContentFormat('ubik'),
  ]),
);
