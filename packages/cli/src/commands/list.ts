/** `world list`: the entities of one type, a page or all of them. */
import type { World } from '@worldwright/client'
import { connectTo, type ReadingOptions } from '../open/origin.ts'
import { entityTable } from '../terminal/entity-text.ts'
import type { Io } from '../terminal/io.ts'
import { say, writeLine } from '../terminal/output.ts'
import { jsonText, visible } from '../terminal/visible.ts'
import { entitiesOf, nextCursorOf } from './list-body.ts'

/** The flags of `world list`. */
export interface ListOptions extends ReadingOptions {
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
}

/** Prints one page; with `all`, every page as it comes. With `json`, one entity a line. */
export async function list(origin: string, type: string, options: ListOptions, io: Io): Promise<number> {
  const world = await connectTo(origin, options, io)
  if (options.all) await printAll(world, type, options, io)
  else await printOne(world, type, options, io)
  return 0
}

async function printAll(world: World, type: string, options: ListOptions, io: Io): Promise<void> {
  let first = true
  for await (const page of world.entities(type, { pageSize: options.limit }, { signal: io.signal }).pages()) {
    await printPage(page, options, io, first)
    first = false
  }
}

async function printOne(world: World, type: string, options: ListOptions, io: Io): Promise<void> {
  const { limit, cursor } = options
  const page = await world.list(type, { limit, cursor }, { signal: io.signal })
  await printPage(page, options, io, true)
  if (typeof page.total === 'number') say(io, `${page.total.toLocaleString('en')} in all.`)
  const next = nextCursorOf(page)
  if (next !== undefined) say(io, `There are more: --cursor ${visible(next)}, or --all`)
}

async function printPage(page: object, { json }: ListOptions, io: Io, heading: boolean): Promise<void> {
  const entities = entitiesOf(page)
  if (json) for (const entity of entities) await writeLine(io.stdout, jsonText(entity))
  else if (entities.length > 0) {
    for (const line of entityTable(entities, io, false).slice(heading ? 0 : 1))
      await writeLine(io.stdout, line)
  }
}
