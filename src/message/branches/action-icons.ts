import type { TemplateResult } from 'lit';
import { drawIcon } from '../icons.js';

/** SVG paths of the actions of a message, on a grid of 16 units. */
const PATHS = {
  regenerate: 'M12.7 9.5A5 5 0 1 1 12 4.7L13.5 6M13.5 2.5V6H10',
  branch: 'M4.5 3v10M4.5 11c0-4 7-2 7-6M11.5 2.5a1.2 1.2 0 1 0 0 2.4a1.2 1.2 0 1 0 0-2.4',
  good: 'M5 7.2h-2.3v6.3H5zM5 7.2L7.6 2.5c1.2 0 1.7.9 1.5 1.9L8.7 6.5h3.4c.8 0 1.4.8 1.2 1.6l-1.1 4.3c-.2.7-.7 1.1-1.4 1.1H5',
  bad: 'M5 8.8h-2.3V2.5H5zM5 8.8l2.6 4.7c1.2 0 1.7-.9 1.5-1.9l-.4-2.1h3.4c.8 0 1.4-.8 1.2-1.6l-1.1-4.3c-.2-.7-.7-1.1-1.4-1.1H5',
  speaker:
    'M2.5 6.2v3.6h2.3L8 12.8V3.2L4.8 6.2zM10.3 6a2.8 2.8 0 0 1 0 4M12.2 4.2a5.4 5.4 0 0 1 0 7.6',
} as const;

/** Renders the icon of an action. */
export function renderActionIcon(name: keyof typeof PATHS): TemplateResult {
  return drawIcon(name, PATHS[name]);
}
