/** Moves and zooms a map with drags, the mouse wheel, pinches and keys. */
import { useEffect, useRef } from 'preact/hooks'
import type { Spot } from './clusters.ts'
import { type MapFrame, moved, zoomed } from './map-frame.ts'

/** Distance moved by an arrow key, and distance from which a press counts as a drag, in pixels. */
const STEP = 80
const STILL = 4

/** Frame of a map, the midpoint of two fingers, and the distance between them, at the start of a pinch. */
interface Pinch {
  readonly frame: MapFrame
  readonly middle: Spot
  readonly spread: number
}

/** Frame of a map `width` pixels wide, and a callback for each new frame. */
interface Moves {
  readonly frame: MapFrame
  readonly width: number
  readonly onFrame: (frame: MapFrame) => void
}

/** Returns the props that let the user move and zoom a map element. */
export function useMapMoves(options: Moves) {
  const latest = useRef(options)
  latest.current = options
  const box = useRef<HTMLDivElement>(null)
  const dragged = useRef<Spot & { frame: MapFrame; isMoving: boolean }>(undefined)
  const pinched = useRef<Pinch>(undefined)
  const down = useRef(new Map<number, Spot>()).current

  useWheel(box, latest)

  function lift({ pointerId }: PointerEvent) {
    down.delete(pointerId)
    dragged.current = undefined
    pinched.current = undefined
  }

  return {
    ref: box,
    tabIndex: 0,
    onKeyDown(event: KeyboardEvent) {
      const { frame, width, onFrame } = latest.current
      const [right, lower, times] = KEYS[event.key] ?? []
      if (right === undefined || lower === undefined || event.target !== event.currentTarget) return
      event.preventDefault()
      onFrame(
        times === undefined ? moved(frame, right * STEP, lower * STEP, width) : zoomed(frame, times, width),
      )
    },
    onPointerDown(event: PointerEvent & { currentTarget: Element }) {
      if (event.button !== 0) return
      const { frame } = latest.current
      // Forget pointers that were released elsewhere.
      if (event.isPrimary) down.clear()
      down.set(event.pointerId, spotIn(event))
      const [first, second] = [...down.values()]
      if (first === undefined || second === undefined) {
        dragged.current = { ...spotIn(event), frame, isMoving: false }
        return
      }
      dragged.current = undefined
      pinched.current = { frame, middle: between(first, second), spread: distance(first, second) }
      for (const id of down.keys()) event.currentTarget.setPointerCapture(id)
    },
    onPointerMove(event: PointerEvent & { currentTarget: Element }) {
      if (down.has(event.pointerId)) down.set(event.pointerId, spotIn(event))
      const { width, onFrame } = latest.current
      const [first, second] = [...down.values()]
      if (pinched.current !== undefined && first !== undefined && second !== undefined)
        return onFrame(framePinched(pinched.current, first, second, width))
      const drag = dragged.current
      if (drag === undefined) return
      const { x, y } = spotIn(event)
      if (!drag.isMoving && distance(drag, { x, y }) < STILL) return
      // Capture the pointer only when a drag begins, so that a click on a mark stays a click.
      if (!drag.isMoving) event.currentTarget.setPointerCapture(event.pointerId)
      drag.isMoving = true
      onFrame(moved(drag.frame, drag.x - x, drag.y - y, width))
    },
    onPointerUp: lift,
    onPointerCancel: lift,
  }
}

function useWheel(box: { readonly current: HTMLElement | null }, latest: { readonly current: Moves }): void {
  // The listener must not be passive, because it prevents the wheel from also scrolling the page.
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left, top } = element.getBoundingClientRect()
      const { frame, width, onFrame } = latest.current
      const times = 2 ** Math.max(-1, Math.min(1, -event.deltaY / 240))
      onFrame(zoomed(frame, times, width, { x: event.clientX - left, y: event.clientY - top }))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [])
}

/** For each key, the steps to the right and down, and the zoom factor if the key zooms. */
const KEYS: Readonly<Record<string, readonly [number, number, number?]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  '+': [0, 0, 2],
  '=': [0, 0, 2],
  '-': [0, 0, 0.5],
}

function spotIn(event: PointerEvent & { currentTarget: Element }): Spot {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}

/** Returns the frame in which the same content is between the fingers as at the start of the pinch. */
function framePinched({ frame, middle, spread }: Pinch, first: Spot, second: Spot, width: number): MapFrame {
  const now = between(first, second)
  const enlarged = zoomed(frame, distance(first, second) / Math.max(1, spread), width, middle)
  return moved(enlarged, middle.x - now.x, middle.y - now.y, width)
}

function between(a: Spot, b: Spot): Spot {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

function distance(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
