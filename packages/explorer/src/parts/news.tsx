/** Notifications of changes made since a view was loaded. */
import type { Entity, World } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { createNewsReader, hasChanged, NO_NEWS, tellsNews } from '../world/news.ts'

/** Time after which a page starts to listen, in milliseconds. Most pages are left sooner. */
const SETTLED_MS = 2_000

/**
 * Calls `listen` once the page has been visible for `SETTLED_MS`, and again when `inputs` change. A hidden page does not
 * listen, because browsers limit connections per server and each tab would take one.
 */
export function useListening(listen: (signal: AbortSignal) => Promise<void>, inputs: readonly unknown[]) {
  useEffect(() => {
    let listening = new AbortController()
    let settling: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      clearTimeout(settling)
      listening.abort()
    }
    const start = () => {
      leave()
      if (document.hidden) return
      listening = new AbortController()
      settling = setTimeout(() => void listen(listening.signal), SETTLED_MS)
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      leave()
      document.removeEventListener('visibilitychange', start)
    }
  }, inputs)
}

/**
 * Returns the changes to entities of a type since the view was loaded, and a function that clears them. Changes made while
 * the page is hidden are reported when it becomes visible.
 */
export function useNews(world: World, type: string) {
  const [news, setNews] = useState(NO_NEWS)
  const [round, setRound] = useState(0)
  const [reader] = useState(() => (tellsNews(world) ? createNewsReader(world, type, setNews) : undefined))
  useEffect(() => reader?.begin(), [round])
  useListening(async (signal) => reader?.read(signal), [round])
  return { news, forget: () => setRound((number) => number + 1) }
}

/** Reports whether an entity has changed since it was received. Always false if the world does not publish changes. */
export function useOutdated(world: World, received: Entity | undefined): boolean {
  const [outdated, setOutdated] = useState<Entity>()
  useListening(
    async (signal) => {
      if (received === undefined || !tellsNews(world)) return
      if (await hasChanged(world, received, signal)) setOutdated(received)
    },
    [received],
  )
  return received !== undefined && outdated === received
}

/** Unobtrusive button that announces changes. Renders an empty status if `label` is empty. */
export function NewsButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <span role="status" class="news">
      {label !== '' && (
        <button type="button" class="chip" onClick={onPress}>
          {label}
        </button>
      )}
    </span>
  )
}
