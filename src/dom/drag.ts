/**
 * Tracks a pointer that was pressed on a handle. `move` receives the distance from the start, in px; `end` is called
 * on release.
 */
export function trackDrag(
  handle: HTMLElement,
  down: PointerEvent,
  move: (deltaX: number, deltaY: number) => void,
  end: () => void,
): void {
  // Prevents text selection while dragging.
  down.preventDefault();
  handle.setPointerCapture(down.pointerId);
  const handleMove = ({ clientX, clientY }: PointerEvent): void => {
    move(clientX - down.clientX, clientY - down.clientY);
  };
  handle.addEventListener('pointermove', handleMove);
  const handleRelease = (): void => {
    handle.removeEventListener('pointermove', handleMove);
    end();
  };
  handle.addEventListener('lostpointercapture', handleRelease, { once: true });
}
