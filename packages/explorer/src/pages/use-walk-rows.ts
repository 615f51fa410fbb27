/** The rows of a walk that are seen, where they stand, and reading on before they end. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useRows } from '../parts/virtual-rows.ts'
import type { Walk } from './use-walk.ts'

/** Rows before the end of what is loaded at which more is asked for. */
const AHEAD = 30

/**
 * The rows of `walk` to draw in the element that takes `box`; `height` is that of a row before it is measured, in
 * pixels. `onRow` is called with the first row seen. `above` and `below` are the pixels of what is not drawn.
 */
export function useWalkRows(walk: Walk, height: number, onRow: (row: number) => void) {
  const count = walk.walked.entities.length
  const box = useRef<HTMLElement>(null)
  const { items, size, measure } = useRows({
    element: box,
    count,
    height,
    offset: walk.offset,
    onScroll: (offset, row) => {
      walk.note(offset)
      onRow(row)
    },
  })
  const first = useRef(walk.walked.before)

  // What came above moves what was seen down: it is scrolled to where it is now.
  useLayoutEffect(() => {
    const added = first.current - walk.walked.before
    first.current = walk.walked.before
    if (added > 0 && box.current !== null) box.current.scrollTop += added * height
  }, [walk.walked.before])

  // Another list begins at its own place.
  const entry = useRef(walk.entry)
  useLayoutEffect(() => {
    if (entry.current === walk.entry) return
    entry.current = walk.entry
    first.current = walk.walked.before
    if (box.current !== null) box.current.scrollTop = walk.offset
  }, [walk.entry])

  const last = items.at(-1)
  const nearEnd = last !== undefined && last.index >= count - AHEAD && last.index > AHEAD

  useEffect(() => {
    if (nearEnd && !walk.isStale && walk.failure === undefined) walk.more()
  }, [nearEnd, count])

  return { box, items, measure, above: items[0]?.start ?? 0, below: size - (last?.end ?? 0) }
}
