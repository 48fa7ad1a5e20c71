import { createRoot } from 'react-dom/client';
import type { ToolContext, ToolRenderer } from 'ubik-elements';

function WeatherCard({ tool }: Pick<ToolContext, 'tool'>) {
  const { city } = (tool.input ?? {}) as { readonly city?: string };
  return (
    <p className="weather">
      {city}: {tool.state}
    </p>
  );
}

export const weatherCard: ToolRenderer = {
  mount(box, context) {
    const root = createRoot(box);
    const update = ({ tool }: ToolContext): void => root.render(<WeatherCard tool={tool} />);
    update(context);
    return { update, unmount: () => root.unmount() };
  },
};
