/** The block in the editor: a preview, and the settings of the block in the sidebar. */
(() => {
  'use strict';

  const { blocks, blockEditor, components, element, i18n, url } = window.wp;
  const { createElement: h, Fragment } = element;
  const { InspectorControls, PanelColorSettings, useBlockProps } = blockEditor;
  const { Disabled, PanelBody, SelectControl, TextControl, TextareaControl } = components;
  const { __ } = i18n;

  /** Longest text, in UTF-16 units: what is beyond the limit of the settings (class-settings.php) would not be shown. */
  const MAX_TEXT = 2000;

  /** Height of the preview of a block without a height, in CSS. */
  const PREVIEW_HEIGHT = '24rem';

  const labelOptions = (labels) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));

  const layouts = () =>
    labelOptions({
      inline: __('In the page', 'ubik-chat'),
      page: __('As high as the window', 'ubik-chat'),
      bubble: __('Button and window', 'ubik-chat'),
      panel: __('Panel at the side', 'ubik-chat'),
    });

  const themes = () =>
    labelOptions({
      '': __('As the page', 'ubik-chat'),
      light: __('Light', 'ubik-chat'),
      dark: __('Dark', 'ubik-chat'),
      auto: __('As the system of the visitor', 'ubik-chat'),
    });

  function renderSettings({ attributes, setAttributes }) {
    const bind = (name) => ({
      value: attributes[name],
      onChange: (value) => setAttributes({ [name]: value }),
    });
    const bindText = (name) => ({ ...bind(name), maxLength: MAX_TEXT });
    return h(
      InspectorControls,
      null,
      h(
        PanelBody,
        { title: __('Chat', 'ubik-chat') },
        h(SelectControl, {
          label: __('Layout', 'ubik-chat'),
          options: layouts(),
          ...bind('layout'),
        }),
        h(TextControl, { label: __('Height, such as 30rem', 'ubik-chat'), ...bindText('height') }),
        h(TextareaControl, { label: __('Greeting', 'ubik-chat'), ...bindText('greeting') }),
        h(TextareaControl, {
          label: __('Suggested questions', 'ubik-chat'),
          help: __('One on each line, at most four.', 'ubik-chat'),
          ...bindText('starters'),
        }),
        h(SelectControl, {
          label: __('Colour scheme', 'ubik-chat'),
          options: themes(),
          ...bind('theme'),
        }),
      ),
      h(PanelColorSettings, {
        title: __('Colours', 'ubik-chat'),
        colorSettings: [
          {
            label: __('Accent colour', 'ubik-chat'),
            value: attributes.accent,
            onChange: (value) => setAttributes({ accent: value ?? '' }),
          },
        ],
      }),
    );
  }

  function edit(props) {
    const { attributes } = props;
    const src = url.addQueryArgs(window.ubikChatPreview, attributes);
    // `Disabled` passes clicks on the frame to the block, so that it can be selected.
    const preview = h(
      Disabled,
      null,
      h('iframe', {
        src,
        title: __('Preview', 'ubik-chat'),
        style: { width: '100%', height: attributes.height || PREVIEW_HEIGHT, border: '0' },
      }),
    );
    return h(Fragment, null, renderSettings(props), h('div', useBlockProps(), preview));
  }

  blocks.registerBlockType('ubik-chat/chat', { edit, save: () => null });
})();
