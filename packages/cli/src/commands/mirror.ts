import { resolve } from 'node:path'
import { profileOf } from '@worldwright/client/foreign'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import {
  clockOf,
  count,
  FAILED,
  type Io,
  jsonText,
  say,
  styled,
  visible,
  writeLine,
} from '@worldwright/serve/terminal'
import { MirrorFolder } from '../mirror/mirror-folder.ts'
import { type MirrorResult, mirrorWorld, PAGES } from '../mirror/mirror-world.ts'
import { PageCache } from '../mirror/page-cache.ts'
import { sayGuesses } from '../terminal/guesses.ts'
import { statementLines } from '../terminal/reading-text.ts'

/** Minimum interval between progress lines, in milliseconds. */
const LINE_MS = 10_000

/** Command-line flags of `world mirror`. */
export interface MirrorOptions extends ReadingOptions {
  readonly partial?: boolean
}

/**
 * Updates the mirror of a world, and prints a statement of the run. If the update fails, or skips something without `partial`,
 * the mirror stays unchanged.
 */
export async function mirror(
  origin: string,
  directory: string,
  options: MirrorOptions,
  io: Io,
): Promise<number> {
  const folder = await MirrorFolder.open(resolve(io.cwd, directory))
  try {
    if (folder.isDamaged)
      say(io, `Files in ${directory} are not what its mirror.json says. Reading all of it again.`)
    const cache = new PageCache(folder.workFile(PAGES), io.fetch as PageCache['fetch'] | undefined)
    const again = () => connectTo(origin, options, { ...io, fetch: cache.fetch as NonNullable<Io['fetch']> })
    const world = await again()
    const result = await mirrorWorld({
      world,
      folder,
      cache,
      names: profileOf(world)?.names,
      partial: options.partial === true,
      again,
      signal: io.signal,
      progress: progressOf(io),
      notice: (text) => say(io, styled(io.stderr, 'yellow', visible(text))),
      now: () => new Date(),
    })
    const { manifest, ...rest } = result
    if (options.json) await writeLine(io.stdout, jsonText({ ...rest, ...manifest }))
    else {
      say(io, summaryOf(result, directory, world.origin))
      for (const line of statementLines(result.reading, io.stderr)) say(io, line)
      sayGuesses(world, io)
    }
    return manifest ? 0 : FAILED
  } finally {
    await folder.close()
  }
}

function summaryOf({ manifest, created, changed, deleted }: MirrorResult, to: string, from: string): string {
  if (!manifest)
    return `${to} is unchanged, since not all of ${visible(from)} was read. To mirror the rest: --partial`
  const all = count(manifest.entities, 'entity', 'entities')
  const [news, changes, gone] = [created, changed, deleted].map((number) => number.toLocaleString('en'))
  return `${to} mirrors ${visible(from)}: ${all}, ${news} new, ${changes} changed, ${gone} deleted.`
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
