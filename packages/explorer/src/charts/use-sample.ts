/** Entities that a chart draws. They are either already loaded or read page by page up to a limit. */
import type { Entity, JsonObject } from '@worldwright/client'
import { type Remote, useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { propertyOf } from '../question/askable.ts'
import { pagesOfQuestion } from '../question/question.ts'
import { createMemory } from '../world/memory.ts'
import type { ChartProps } from './chart-props.ts'

/** Maximum number of entities that are drawn individually. */
const MOST_DRAWN = 5_000
/** Number of entities per page, which is the maximum in most worlds. */
const PAGE = 200
/** Number of pages read between redraws, so that redrawing does not slow down reading. */
const PAGES_DRAWN = 5

/** Entities to draw, and the state of reading them. */
export interface Sample extends Omit<Remote<Read>, 'value' | 'stop'>, Read {}

interface Read {
  readonly entities: readonly Entity[]
  /** Total number of entities, regardless of the limit. Undefined if the world does not report it. */
  readonly total: number | undefined
}

const samples = createMemory<Read>(12)
const NOTHING: Read = { entities: [], total: undefined }

/**
 * Reads the entities of a list that have a value for every key in `keys`, in list order. Reads only the attributes in
 * `fields`, or all if undefined. Returns the loaded entities if the world does not support queries.
 */
export function useSample(
  props: ChartProps,
  { keys, fields }: { keys: readonly string[]; fields: readonly string[] | undefined },
): Sample {
  const { world } = useOpenWorld()
  const { type, asked, question, entities, total } = props
  const { value, ...remote } = useRemote<Read>(
    question && JSON.stringify([world.origin, type, asked, keys, fields]),
    async (signal, show) => {
      if (question === undefined) return NOTHING
      const pages = pagesOfQuestion(world, async () => narrowed(await question(), keys, fields))
      return readSample(pages({ cursor: undefined, pageSize: PAGE }, signal), show)
    },
    { memory: samples, once: true },
  )
  if (question === undefined) return { ...remote, entities, total, isBusy: false, failure: undefined }
  return { ...remote, ...(value ?? NOTHING) }
}

async function readSample(
  pages: AsyncIterable<{ entities: readonly Entity[]; total?: number | undefined }>,
  onRead: (read: Read) => void,
): Promise<Read> {
  const entities: Entity[] = []
  let total: number | undefined
  let number = 0
  for await (const page of pages) {
    entities.push(...page.entities)
    total = page.total ?? total
    if (entities.length >= MOST_DRAWN) break
    if (number++ % PAGES_DRAWN === 0) onRead({ entities: [...entities], total })
  }
  return { entities: entities.slice(0, MOST_DRAWN), total }
}

/** Restricts a question to entities that can be drawn, and to the attributes needed to draw them. */
function narrowed(
  question: JsonObject,
  keys: readonly string[],
  fields: readonly string[] | undefined,
): JsonObject {
  const given = keys.map((key) => {
    return { op: 'not', args: [{ op: 'isNull', args: [{ property: propertyOf(key) }] }] }
  })
  const all = question['where'] === undefined ? given : [question['where'], ...given]
  const where = all.length > 1 ? { op: 'and', args: all } : all[0]
  return {
    ...question,
    ...(where !== undefined && { where }),
    ...(fields !== undefined && { fields: fields.map(propertyOf) }),
  }
}
