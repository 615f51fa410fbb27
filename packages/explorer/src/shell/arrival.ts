/** Reacts to navigations: sets the window title, focuses the heading and restores the scroll position. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { move, scrollOfEntry } from '../navigation/navigation.ts'
import { hrefOf, type Route } from '../navigation/route.ts'
import { plainText } from '../text/visible.ts'
import { words } from '../words/words.ts'

/** Time for which the scroll position is restored while the content grows to its former height, in milliseconds. */
const PATIENCE_MS = 1_500

/** Reacts to navigations to `route`. Returns a function with which a page sets a better title once it is known. */
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
    // Keep the focus while the user types in the search box or sets filters.
    if (document.activeElement?.closest('#search, [data-asks]') === null) focusHeading()
    return stop
  }, [number])

  return (known) => setBetter({ href, title: known })
}

/** Focuses the heading, so that screen readers continue from there. Focuses the main element if there is no heading yet. */
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
  // Stop restoring as soon as the user scrolls.
  for (const name of ENDS) window.addEventListener(name, stop, { passive: true, once: true })
  return stop
}

const ENDS = ['wheel', 'touchstart', 'keydown'] as const
