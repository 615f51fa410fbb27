/** `world mirror`: saves a world as files that can be updated and served. */
import { resolve } from 'node:path'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'
import { clockOf, count, jsonText, say, styled, visible, writeLine } from '@worldwright/serve/terminal'
import { MirrorFolder } from '../mirror/mirror-folder.ts'
import { mirrorWorld, PAGES } from '../mirror/mirror-world.ts'
import { PageCache } from '../mirror/page-cache.ts'

/** Minimum interval between progress lines, in milliseconds. */
const LINE_MS = 10_000

/** Updates the mirror of a world. If the update fails, the mirror stays unchanged. */
export async function mirror(
  origin: string,
  directory: string,
  options: ReadingOptions,
  io: Io,
): Promise<number> {
  const folder = await MirrorFolder.open(resolve(io.cwd, directory))
  try {
    if (folder.isDamaged)
      say(io, `Files in ${directory} are not what its mirror.json says. Reading all of it again.`)
    const cache = new PageCache(folder.workFile(PAGES), io.fetch as PageCache['fetch'] | undefined)
    const world = await connectTo(origin, options, { ...io, fetch: cache.fetch as NonNullable<Io['fetch']> })
    const { manifest, ...counts } = await mirrorWorld({
      world,
      folder,
      cache,
      names: options.names,
      signal: io.signal,
      progress: progressOf(io),
      notice: (text) => say(io, styled(io.stderr, 'yellow', visible(text))),
      now: () => new Date(),
    })
    const { created, changed, deleted } = counts
    if (options.json) await writeLine(io.stdout, jsonText({ ...counts, ...manifest }))
    else
      say(
        io,
        `${directory} mirrors ${visible(world.origin)}: ${count(manifest.entities, 'entity', 'entities')}, ${created.toLocaleString('en')} new, ${changed.toLocaleString('en')} changed, ${deleted.toLocaleString('en')} deleted.`,
      )
  } finally {
    await folder.close()
  }
  return 0
}

function progressOf(io: Io): (count: number) => void {
  const clock = clockOf(io)
  let saidAt = clock()
  return (number) => {
    if (clock() - saidAt < LINE_MS) return
    saidAt = clock()
    say(io, `${number.toLocaleString('en')} so far.`)
  }
}
