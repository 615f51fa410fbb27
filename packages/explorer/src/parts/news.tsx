/** What has happened to entities since a view was read. */
import type { World } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { createNewsReader, NO_NEWS, tellsNews } from '../world/news.ts'

/** Milliseconds before a page listens: most are left sooner. */
const SETTLED_MS = 2_000

/**
 * The news of a type, or of one entity, since the view began, and how to begin again. A page that nobody sees does not
 * listen: browsers keep few connections to a server, and each tab would take one. It hears of what happened meanwhile once it is seen again.
 */
export function useNews(world: World, type: string, id?: string) {
  const [news, setNews] = useState(NO_NEWS)
  const [round, setRound] = useState(0)
  const [reader] = useState(() => (tellsNews(world) ? createNewsReader(world, type, id, setNews) : undefined))

  useEffect(() => {
    if (reader === undefined) return
    let listening = new AbortController()
    let settling: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      clearTimeout(settling)
      listening.abort()
    }
    const listen = () => {
      leave()
      if (document.hidden) return
      listening = new AbortController()
      settling = setTimeout(() => void reader.read(listening.signal), SETTLED_MS)
    }
    reader.begin()
    listen()
    document.addEventListener('visibilitychange', listen)
    return () => {
      leave()
      document.removeEventListener('visibilitychange', listen)
    }
  }, [round])

  return { news, forget: () => setRound((number) => number + 1) }
}

/** A button that quietly says so; nothing if `label` is empty. Screen readers hear of it when they have finished a sentence. */
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
