/** Arrival at a page: sets the title of the window, focuses the heading, and restores the scroll position. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { move, scrollOfEntry } from '../navigation/navigation.ts'
import { hrefOf, type Route } from '../navigation/route.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'

/** Time that content may take to grow before its old scroll position is given up, in milliseconds. */
const PATIENCE_MS = 1_500

/** Follows arrivals at `route`. Returns the function by which a page sets a better title once it knows one. */
export function useArrival(route: Route, title: string): (title: string) => void {
  const [better, setBetter] = useState<{ href: string; title: string }>()
  const href = hrefOf(route)
  const shown = better?.href === href ? better.title : title
  const { kind, number } = move.value
  const arrived = useRef(number)

  useEffect(() => {
    document.title = `${plainText(shown).slice(0, 120)} – ${words.value.app.name}`
  }, [shown])

  useLayoutEffect(() => {
    if (arrived.current === number) return
    arrived.current = number
    if (kind === 'replace') return
    const target = kind === 'back' ? scrollOfEntry() : 0
    const stop = scrollWhenThere(target)
    // While the user types in the search or sets filters, the focus stays there.
    if (document.activeElement?.closest('#search, [data-asks]') === null) focusHeading()
    return stop
  }, [number])

  return (known) => setBetter({ href, title: known })
}

/** Moves the focus to the page's heading, so that a screen reader begins there; the heading may not be there yet. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main .arrival') ?? document.getElementById('main')
  heading?.focus({ preventScroll: true })
}

function scrollWhenThere(target: number): () => void {
  window.scrollTo(0, target)
  if (target === 0) return () => {}
  const observer = new ResizeObserver(() => window.scrollTo(0, target))
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const name of ENDS) window.removeEventListener(name, stop)
  }
  const timer = setTimeout(stop, PATIENCE_MS)
  observer.observe(document.body)
  // The user's own scrolling wins.
  for (const name of ENDS) window.addEventListener(name, stop, { passive: true, once: true })
  return stop
}

const ENDS = ['wheel', 'touchstart', 'keydown'] as const
