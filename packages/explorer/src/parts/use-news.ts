/** What has happened to entities since a view was read. */
import type { World } from '@worldwright/client'
import { useEffect, useState } from 'preact/hooks'
import { type News, NewsReader, NO_NEWS, tellsNews } from '../world/news.ts'

/** Milliseconds before a page listens: most are left sooner. */
const SETTLED_MS = 2_000

/** What has happened, and how to take note of it. */
export interface Told {
  readonly news: News
  /** What happened until now is no news any more. */
  readonly forget: () => void
}

/**
 * The news of a type, or of one entity, since the view began. A page that nobody sees does not listen: browsers keep few connections to a
 * server, and each tab would take one. It hears of what happened meanwhile once it is seen again.
 */
export function useNews(world: World, type: string, id?: string): Told {
  const [news, setNews] = useState(NO_NEWS)
  const [round, setRound] = useState(0)
  const [reader] = useState(() => (tellsNews(world) ? new NewsReader(world, type, id, setNews) : undefined))

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
