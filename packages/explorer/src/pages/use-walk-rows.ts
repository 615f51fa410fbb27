/** The rows of a walk that are seen, by TanStack's virtualizer within a scrolling element, and reading on before they end. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import type { Walk } from './use-walk.ts'

/** Rows before the end of what is loaded at which more is asked for. */
const AHEAD = 30

/**
 * The rows of `walk` to draw in the element that takes `box`; `height` is that of a row before it is measured, in
 * pixels. `onRow` is called with the first row seen. `above` and `below` are the pixels of what is not drawn, and
 * `measure` takes the element of each row, since rows differ.
 */
export function useWalkRows(walk: Walk, height: number, onRow: (row: number) => void) {
  const { before, entities } = walk.walked
  const box = useRef<HTMLElement>(null)
  const { items, below, measure } = useVirtual(box, entities.length, height, walk.offset, (offset, row) => {
    walk.note(offset)
    onRow(row)
  })
  const first = useRef(before)

  // What came above moves what was seen down: it is scrolled to where it is now.
  useLayoutEffect(() => {
    const added = first.current - before
    first.current = before
    if (added > 0 && box.current !== null) box.current.scrollTop += added * height
  }, [before])

  // Another list begins at its own place.
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

/** Follows the scrolling of an element, from `offset` on. `onScroll` is called with how far, and which row stands there. */
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
