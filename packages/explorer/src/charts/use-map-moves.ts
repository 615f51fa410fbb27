/** Moving a map: by dragging, by the wheel and by keys. */
import { useEffect, useRef } from 'preact/hooks'
import { type MapFrame, moved, zoomed } from './map-frame.ts'

/** Pixels that an arrow key moves the map by, and that a pointer may move while it presses. */
const STEP = 80
const STILL = 4

/** What an element needs for its map, `width` pixels wide, to be moved; `onFrame` is called with what is seen from then on. */
export function useMapMoves(options: { frame: MapFrame; width: number; onFrame: (frame: MapFrame) => void }) {
  const latest = useRef(options)
  latest.current = options
  const box = useRef<HTMLDivElement>(null)
  const dragged = useRef<{ x: number; y: number; frame: MapFrame; isMoving: boolean }>(undefined)

  // A wheel that also scrolled the page would be of no use: the listener must be one that may prevent it.
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

  return {
    ref: box,
    tabIndex: 0,
    onKeyDown(event: KeyboardEvent) {
      const { frame, width, onFrame } = latest.current
      const [across, down, times] = KEYS[event.key] ?? []
      if (across === undefined || down === undefined || event.target !== event.currentTarget) return
      event.preventDefault()
      onFrame(
        times === undefined ? moved(frame, across * STEP, down * STEP, width) : zoomed(frame, times, width),
      )
    },
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return
      dragged.current = { x: event.clientX, y: event.clientY, frame: latest.current.frame, isMoving: false }
    },
    onPointerMove(event: PointerEvent & { currentTarget: Element }) {
      const drag = dragged.current
      if (drag === undefined) return
      const [across, down] = [drag.x - event.clientX, drag.y - event.clientY]
      if (!drag.isMoving && Math.hypot(across, down) < STILL) return
      // Only what is dragged is held: a click on a mark stays one.
      if (!drag.isMoving) event.currentTarget.setPointerCapture(event.pointerId)
      drag.isMoving = true
      latest.current.onFrame(moved(drag.frame, across, down, latest.current.width))
    },
    onPointerUp() {
      dragged.current = undefined
    },
    onPointerCancel() {
      dragged.current = undefined
    },
  }
}

/** Steps to the right and downwards, or how many times larger. */
const KEYS: Readonly<Record<string, readonly [number, number, number?]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  '+': [0, 0, 2],
  '=': [0, 0, 2],
  '-': [0, 0, 0.5],
}
