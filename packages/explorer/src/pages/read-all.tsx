/** Offer to read all entities of a type of a world that answers no queries, so that the page filters them itself. */
import { typeFault } from '@worldwright/client/protocol'
import { WALK_LIMIT } from '@worldwright/extensions/walk-limit'
import { useState } from 'preact/hooks'
import type { RouteTo } from '../navigation/route.ts'
import { useRemote } from '../parts/use-remote.ts'
import { type OpenWorld, useOpenWorld } from '../parts/world-context.ts'
import { counted, timeWords, words } from '../words/words.ts'
import { isEnded, type Walked } from '../world/walk.ts'
import { profileOf } from '../world/world-profile.ts'
import type { connectBy } from '../world/worlds.ts'

/** Button that names the number of entities to read, then the progress, and afterwards the time of the read. */
export function ReadAll(props: { route: RouteTo<'list'>; walked: Walked; connect: typeof connectBy }) {
  const { route, walked, connect } = props
  const { type, asked } = route
  const open = useOpenWorld()
  const [tries, setTries] = useState(0)
  const { value, failure, isBusy, stop } = useRemote(tries ? `${tries}` : undefined, async (signal, show) => {
    const read = await readType(open, type, connect, signal, show)
    open.reads.value = new Map(open.reads.value).set(type, read)
    return ''
  })
  const { list, app, about, failures } = words.value
  const { read } = open
  if (read) return <p class="soft">{list.readAt(counted(read.count), timeWords(read.at) ?? '')}</p>
  const number = walked.total ?? (isEnded(walked) ? walked.before + walked.entities.length : undefined)
  if (typeFault(type) !== undefined || (number !== undefined && number < 2)) return null
  const isTooMany = number !== undefined && number > WALK_LIMIT
  const said = failure?.url ? failures[failure.cause].title : failure?.message
  const why = isTooMany ? list.tooMany(counted(WALK_LIMIT)) : said
  // The advice in messages is for the command line.
  const told = why && list.notRead(why.replace(/: --names .*/, ` under “${about.title}”.`))
  return (
    <div class="row">
      {!isTooMany && (
        <button type="button" class="button" onClick={isBusy ? stop : () => setTries(tries + 1)}>
          {isBusy ? app.cancel : list.readAll(number === undefined ? undefined : counted(number))}
        </button>
      )}
      <span role="status" class="soft">
        {isBusy ? (value ?? app.loading) : (told ?? (asked && list.filtersWait))}
      </span>
    </div>
  )
}

/** Returns a world of the entities of a type as they are now. Rejects if not all of them can be read, or they are too many. */
async function readType(
  { profile, ...open }: OpenWorld,
  type: string,
  connect: typeof connectBy,
  signal: AbortSignal,
  show: (progress: string) => void,
): Promise<OpenWorld> {
  const { list: told, app } = words.value
  const { ListReader } = await import('@worldwright/extensions/list-reader')
  const list = new ListReader(open.world, type, false)
  const lines = new Map<string, string>()
  for await (const page of list.pages(signal)) {
    for (const [id, line] of list.take(page)) lines.set(id, line)
    if (Math.max(list.total, list.read) > WALK_LIMIT) throw new Error(told.tooMany(counted(WALK_LIMIT)))
    show(told.reading(counted(list.read), list.total > 0 ? counted(list.total) : undefined))
  }
  list.end()
  show(app.loading)
  const { worker, ask } = (await import('../files/search-files.ts')).startEngine()
  const { origin } = open.world
  const { id = origin, types: declared } = profile
  await ask({ read: { id, origin, types: declared, lines: new Map([[type, lines]]) }, url: origin, init: {} })
  if (signal.aborted) worker.terminate()
  const world = await connect(origin, {
    fetch: async (url, { signal: _, ...init }) => {
      const { status, text } = await ask({ url, init })
      return new Response(text, { status, headers: { 'content-type': 'application/json' } })
    },
  })
  const own = profileOf(world)
  const types = declared.map((one) => (one.type === type ? { ...one, schema: own.types[0]?.schema } : one))
  const read = { count: list.read, at: new Date().toISOString() }
  return { ...open, world, profile: { ...own, types }, read }
}
