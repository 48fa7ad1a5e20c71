/** Follows a pointer that was pressed on a handle: `move` is told how far it is from there, in px; `end`, that it was let go. */
export function trackDrag(
  handle: HTMLElement,
  down: PointerEvent,
  move: (right: number, below: number) => void,
  end: () => void,
): void {
  // Nothing is selected on the way.
  down.preventDefault();
  handle.setPointerCapture(down.pointerId);
  const handleMove = ({ clientX, clientY }: PointerEvent): void => {
    move(clientX - down.clientX, clientY - down.clientY);
  };
  handle.addEventListener('pointermove', handleMove);
  const stop = (): void => {
    handle.removeEventListener('pointermove', handleMove);
    end();
  };
  handle.addEventListener('lostpointercapture', stop, { once: true });
}
