/** Only the rows that are seen are drawn: TanStack's virtualiser within a scrolling element. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'

/** What of a long list is to be drawn. */
export interface Rows {
  readonly items: readonly VirtualItem[]
  /** The height of all rows together. */
  readonly size: number
  /** To be called with each row's element: it is measured, since rows differ. */
  readonly measure: (element: Element | null) => void
}

/**
 * Follows the scrolling of an element with `count` rows of about `height` pixels, beginning at `offset`. `onScroll`
 * is called with how far it is scrolled and which row stands there.
 */
export function useRows(options: {
  element: { readonly current: HTMLElement | null }
  count: number
  height: number
  offset: number
  onScroll: (offset: number, row: number) => void
}): Rows {
  const { element, count, height, offset, onScroll } = options
  const [, draw] = useReducer((number: number) => number + 1, 0)
  const virtualizer = useRef<Virtualizer<HTMLElement, Element>>(undefined)
  const settings = {
    count,
    estimateSize: () => height,
    getScrollElement: () => element.current,
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
  virtualizer.current ??= new Virtualizer(settings)
  const current = virtualizer.current
  current.setOptions(settings)

  useLayoutEffect(() => current._didMount(), [current])
  useLayoutEffect(() => current._willUpdate())

  return {
    items: current.getVirtualItems(),
    size: current.getTotalSize(),
    measure: (node) => current.measureElement(node),
  }
}
