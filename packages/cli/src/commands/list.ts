import type { EntityList, World } from '@worldwright/client'
import { interpretationOf } from '@worldwright/client/foreign'
import { requireWhole } from '@worldwright/extensions/list-reader'
import { connectTo, type ReadingOptions } from '@worldwright/serve/open'
import type { Io } from '@worldwright/serve/terminal'
import { jsonText, NOT_RECOGNISED, say, shellWord, visible, writeLine } from '@worldwright/serve/terminal'
import { asReceived, entityTable } from '../terminal/entity-text.ts'
import { sayGuesses } from '../terminal/guesses.ts'

/** Command-line flags of `world list`. */
export interface ListOptions extends ReadingOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

/** Prints one page, or every page as it arrives if `all` is set. With `json`, prints one entity per line. */
export async function list(origin: string, type: string, options: ListOptions, io: Io): Promise<number> {
  const world = await connectTo(origin, options, io)
  if (options.all) await printAll(world, type, options, io)
  else await printOne(world, type, options, io)
  sayGuesses(world, io)
  return 0
}

async function printAll(world: World, type: string, options: ListOptions, io: Io): Promise<void> {
  let [read, total] = [0, 0]
  const { limit: pageSize, cursor } = options
  const walk = world.entities(type, { pageSize, ...(cursor && { cursor }) }, { signal: io.signal })
  for await (const page of walk.pages()) {
    await printPage(page, options, io, read === 0)
    read += page.entities.length
    total = Math.max(total, page.total ?? 0)
  }
  if (!cursor) requireWhole(type, read, total)
}

async function printOne(world: World, type: string, options: ListOptions, io: Io): Promise<void> {
  const { limit, cursor } = options
  const page = await world.list(type, { limit, cursor }, { signal: io.signal })
  await printPage(page, options, io, true)
  const { nextCursor, total } = page
  if (total !== undefined) say(io, `${total.toLocaleString('en')} in all.`)
  if (nextCursor !== undefined)
    say(io, `There are more: --cursor ${visible(shellWord(nextCursor))}, or --all`)
  else if (cursor === undefined && !saysItsEnd(page))
    say(io, `Whether there are more is ${NOT_RECOGNISED}: --all finds out`)
}

/** Reports whether a page without a next cursor is known to be the last page. */
function saysItsEnd(page: EntityList): boolean {
  const { cursor, total } = interpretationOf(page)?.found ?? {}
  return cursor !== undefined || (total !== undefined && Number(total.value) <= page.entities.length)
}

async function printPage(page: EntityList, { json }: ListOptions, io: Io, heading: boolean): Promise<void> {
  const { entities } = page
  if (json) for (const entity of entities) await writeLine(io.stdout, jsonText(asReceived(entity)))
  else if (entities.length > 0) {
    for (const line of entityTable(entities, io).slice(heading ? 0 : 1)) await writeLine(io.stdout, line)
  }
}
