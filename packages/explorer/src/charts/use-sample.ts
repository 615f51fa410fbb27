/** Entities that a chart draws. They are either already loaded or read page by page up to a limit. */
import type { Entity, JsonObject } from '@worldwright/client'
import { hasValue, propertyOf } from '@worldwright/extensions/views'
import { type Remote, useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { answersGroups } from '../question/askable.ts'
import { narrowed, pagesOfQuestion } from '../question/question.ts'
import { sampled } from '../question/sample.ts'
import { createMemory } from '../world/memory.ts'
import type { ChartProps } from './chart-props.ts'

/** Maximum number of entities that are drawn individually. */
export const MOST_DRAWN = 5_000
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
  /** True if the entities are a sample of all, and false if they are the first ones by id or all. */
  readonly isSample: boolean
}

const samples = createMemory<Read>(12)
const NOTHING: Read = { entities: [], total: undefined, isSample: false }

/**
 * Reads the entities of a list that have a value for every key in `keys`, in list order, or a sample if there are too many.
 * Reads only the attributes in `fields`, or all if undefined. Returns the loaded entities if the world does not support
 * queries.
 */
export function useSample(
  props: ChartProps,
  { keys, fields }: { keys: readonly string[]; fields: readonly string[] | undefined },
): Sample {
  const { world, profile } = useOpenWorld()
  const { type, asked, question, entities, total } = props
  const { value, ...remote } = useRemote<Read>(
    question && JSON.stringify([world.origin, type, asked, keys, fields]),
    async (signal, show) => {
      if (question === undefined) return NOTHING
      const asked = {
        ...narrowed(await question(), keys.map(hasValue)),
        ...(fields && { fields: fields.map(propertyOf) }),
      }
      const read = (one: JsonObject, isSample: boolean, isCut: boolean) => {
        const pages = pagesOfQuestion(world, async () => one)({ cursor: undefined, pageSize: PAGE }, signal)
        return readSample(pages, isSample, isCut, show)
      }
      const all = await read(asked, false, false)
      return all ?? (await sampled(profile, asked, (one, isSample) => read(one, isSample, true))) ?? NOTHING
    },
    { memory: samples, once: true },
  )
  if (question === undefined)
    return { ...remote, entities, total, isSample: false, isBusy: false, failure: undefined }
  return { ...remote, ...(value ?? NOTHING) }
}

/** Reports whether a list may be too long to draw each entity, and the world can count all of them in cells instead. */
export function useIsLong({ question, total = Number.POSITIVE_INFINITY }: ChartProps): boolean {
  const { profile } = useOpenWorld()
  return question !== undefined && total > MOST_DRAWN && answersGroups(profile)
}

/** Reads pages up to the limit. Returns undefined if there are more entities, unless `isCut` allows to leave some out. */
async function readSample(
  pages: AsyncIterable<{ entities: readonly Entity[]; total?: number | undefined }>,
  isSample: boolean,
  isCut: boolean,
  onRead: (read: Read) => void,
): Promise<Read | undefined> {
  const entities: Entity[] = []
  let total: number | undefined
  let number = 0
  for await (const page of pages) {
    entities.push(...page.entities)
    total = page.total ?? total
    if (!isCut && (total ?? 0) > MOST_DRAWN) return undefined
    if (entities.length >= MOST_DRAWN) break
    if (number++ % PAGES_DRAWN === 0) onRead({ entities: [...entities], total, isSample })
  }
  return { entities: entities.slice(0, MOST_DRAWN), total, isSample }
}
