import { html, render } from 'lit';

/** @type {import('ubik-elements').ToolRenderer} */
export const weatherCard = {
  mount(box, context) {
    const update = ({ tool }) => {
      const { city } = Object(tool.input);
      render(html`<p class="weather">${city}: ${tool.state}</p>`, box);
    };
    update(context);
    return { update };
  },
};
