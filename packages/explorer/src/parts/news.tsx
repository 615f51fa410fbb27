/** Changes to entities since a view was read. */
import type { Entity, World } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { createNewsReader, hasChanged, NO_NEWS, tellsNews } from '../world/news.ts'

/** Delay before a page listens, in milliseconds: most pages are left sooner. */
const SETTLED_MS = 2_000

/**
 * Listens while the view is visible, and again when `inputs` change. A hidden page does not listen: browsers keep few
 * connections to a server, and each tab would take one.
 */
function useListening(listen: (signal: AbortSignal) => Promise<void>, inputs: readonly unknown[]): void {
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
 * Returns the news of a type since the view began, and a function to start again. Changes while the page is hidden are
 * reported once it is visible again.
 */
export function useNews(world: World, type: string) {
  const [news, setNews] = useState(NO_NEWS)
  const [round, setRound] = useState(0)
  const [reader] = useState(() => (tellsNews(world) ? createNewsReader(world, type, setNews) : undefined))
  useEffect(() => reader?.begin(), [round])
  useListening(async (signal) => reader?.read(signal), [round])
  return { news, forget: () => setRound((number) => number + 1) }
}

/** True once the entity has changed since it was received, in worlds that publish changes. */
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

/** An unobtrusive button with news; nothing if `label` is empty. Screen readers announce it after the current sentence. */
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
