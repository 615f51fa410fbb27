/** The visible rows of a walk, by TanStack's virtualizer within a scrolling element. Reads ahead before they end. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { Walk } from './use-walk.ts'

/** Rows before the end of the loaded rows at which more are requested. */
const AHEAD = 30

/**
 * Returns the rows of `walk` to render in the element that takes `box`; `height` is that of a row before it is measured,
 * in pixels. `onRow` is called with the first visible row. `above` and `below` are the heights of the rows not rendered,
 * in pixels, and `measure` takes the element of each row, since rows differ.
 */
export function useWalkRows(walk: Walk, height: number, onRow: (row: number) => void) {
  const { before, entities } = walk.walked
  const box = useRef<HTMLElement>(null)
  const { items, below, measure } = useVirtual(box, entities.length, height, walk.offset, (offset, row) => {
    walk.note(offset)
    onRow(row)
  })
  const first = useRef(before)

  // Rows added above move the visible ones down: scroll by their height.
  useLayoutEffect(() => {
    const added = first.current - before
    first.current = before
    if (added > 0 && box.current !== null) box.current.scrollTop += added * height
  }, [before])

  // Another list starts at its own scroll position.
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

/** Follows the scrolling of an element, starting at `offset`. `onScroll` is called with the offset and its row. */
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
