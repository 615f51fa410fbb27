/** What happens on arriving at a page: its title in the window, the focus at its heading, the scroll where it was. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { move, scrollOfEntry } from '../navigation/navigation.ts'
import { hrefOf, type Route } from '../navigation/route.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'

/** How long content that is still being read may take to grow before the old scroll is given up. */
const PATIENCE_MS = 1_500

/** Follows arrivals at `route`. Gives the function by which a page sets a better title once it knows one. */
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
    // While somebody types in the search or sets filters, the focus stays there.
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
  // The reader's own scrolling counts more.
  for (const name of ENDS) window.addEventListener(name, stop, { passive: true, once: true })
  return stop
}

const ENDS = ['wheel', 'touchstart', 'keydown'] as const
