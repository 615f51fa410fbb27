/** Virtualizes the rows of a list with TanStack Virtual, and requests more rows near the end of the loaded ones. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { Walk } from './use-walk.ts'

/** Distance from the end of the loaded rows at which more are requested, in rows. */
const AHEAD = 30

/**
 * Returns the rows of `walk` to render, and `box`, the ref for the element that scrolls. `height` is the estimated row
 * height. Calls `onRow` with the index of the first visible row. `above` and `below` are the heights of the rows that are
 * not rendered, and `measure` is the ref for each row element, since row heights differ. All heights are in pixels.
 */
export function useWalkRows(walk: Walk, height: number, onRow: (row: number) => void) {
  const { before, entities } = walk.walked
  const box = useRef<HTMLElement>(null)
  const { items, below, measure } = useVirtual(box, entities.length, height, walk.offset, (offset, row) => {
    walk.note(offset)
    onRow(row)
  })
  const first = useRef(before)

  // Rows added above push the visible rows down, so scroll down by the height of the added rows.
  useLayoutEffect(() => {
    const added = first.current - before
    first.current = before
    if (added > 0 && box.current !== null) box.current.scrollTop += added * height
  }, [before])

  // When a different list is shown, restore the scroll position of that list.
  const entry = useRef(walk.entry)
  useLayoutEffect(() => {
    if (entry.current === walk.entry) return
    entry.current = walk.entry
    first.current = before
    if (box.current !== null) box.current.scrollTop = walk.offset
  }, [walk.entry])

  const last = items.at(-1)?.index ?? 0
  const nearEnd = last >= entities.length - AHEAD && last > AHEAD

  useEffect(() => {
    if (nearEnd && !walk.isStale && walk.failure === undefined) walk.reader.more()
  }, [nearEnd, entities.length])

  return { box, items, measure, above: items[0]?.start ?? 0, below }
}

/** Creates a virtualizer for an element scrolled to `offset`. Calls `onScroll` with the new offset and the row there. */
function useVirtual(
  box: { readonly current: HTMLElement | null },
  count: number,
  height: number,
  offset: number,
  onScroll: (offset: number, row: number) => void,
) {
  const [, draw] = useReducer((number: number) => number + 1, 0)
  const held = useRef<Virtualizer<HTMLElement, Element>>(undefined)
  const settings = {
    count,
    estimateSize: () => height,
    getScrollElement: () => box.current,
    initialOffset: offset,
    overscan: 8,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: (instance: Virtualizer<HTMLElement, Element>) => {
      const to = instance.scrollOffset ?? 0
      onScroll(to, instance.getVirtualItemForOffset(to)?.index ?? 0)
      draw(undefined)
    },
  }
  held.current ??= new Virtualizer(settings)
  const rows = held.current
  rows.setOptions(settings)

  useLayoutEffect(() => rows._didMount(), [rows])
  useLayoutEffect(() => rows._willUpdate())

  const items: readonly VirtualItem[] = rows.getVirtualItems()
  const measure = (element: Element | null) => rows.measureElement(element)
  return { items, measure, below: rows.getTotalSize() - (items.at(-1)?.end ?? 0) }
}
