/** The entities that a chart draws: read page by page up to a bound, or what is loaded already. */
import type { Entity, JsonObject } from '@worldwright/client'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useOpenWorld } from '../parts/world-context.ts'
import { propertyOf } from '../question/askable.ts'
import { pagesOfQuestion } from '../question/question.ts'
import { type Failure, failureFrom, isAborted } from '../world/failure.ts'
import { createMemory } from '../world/memory.ts'
import type { ChartProps } from './chart-props.ts'

/** Entities that are drawn one by one at most. */
const MOST_DRAWN = 5_000
/** Entities of one page: as many as worlds give. */
const PAGE = 200
/** Pages between two drawings, so that drawing does not hold up reading. */
const PAGES_DRAWN = 5

/** What there is to draw. */
export interface Sample {
  readonly entities: readonly Entity[]
  /** How many there would be without the bound; undefined where nobody said. */
  readonly total: number | undefined
  readonly isBusy: boolean
  readonly failure: Failure | undefined
  readonly retry: () => void
}

type Read = Pick<Sample, 'entities' | 'total'>

const samples = createMemory<Read>(12)
const NOTHING: Read = { entities: [], total: undefined }

/**
 * The entities of a list that have a value for each of `keys`, in the list's order, and of them only the attributes in
 * `fields` (undefined for all). Where the world answers no questions: all that is loaded.
 */
export function useSample(
  props: ChartProps,
  { keys, fields }: { keys: readonly string[]; fields: readonly string[] | undefined },
): Sample {
  const { world } = useOpenWorld()
  const { type, asked, question } = props
  const [held, setHeld] = useState<Read & { key?: string; isBusy: boolean; failure?: Failure }>({
    ...NOTHING,
    isBusy: true,
  })
  const [attempt, setAttempt] = useState(0)
  const key = JSON.stringify([world.origin, type, asked, keys, fields])

  useEffect(() => {
    if (question === undefined) return
    const known = samples.get(key)
    if (known !== undefined) return setHeld({ ...known, key, isBusy: false })
    const controller = new AbortController()
    const { signal } = controller
    setHeld({ ...NOTHING, key, isBusy: true })
    const asking = async () => narrowed(await question(), keys, fields)
    readSample(pagesOfQuestion(world, asking)({ cursor: undefined, pageSize: PAGE }, signal), (read) => {
      if (!signal.aborted) setHeld({ ...read, key, isBusy: true })
    }).then(
      (read) => {
        if (signal.aborted) return
        samples.set(key, read)
        setHeld({ ...read, key, isBusy: false })
      },
      (error: unknown) => {
        if (signal.aborted || isAborted(error)) return
        const connectivity = { isOnline: navigator.onLine, isSecure: location.protocol === 'https:' }
        setHeld((before) => ({ ...before, isBusy: false, failure: failureFrom(error, connectivity) }))
      },
    )
    return () => controller.abort()
  }, [key, question === undefined, attempt])

  const retry = () => setAttempt((number) => number + 1)
  return useMemo(() => {
    if (question === undefined)
      return { entities: props.entities, total: props.total, isBusy: false, failure: undefined, retry }
    const current = held.key === key ? held : { ...NOTHING, isBusy: true }
    return { failure: undefined, ...current, retry }
  }, [held, key, question === undefined, props.entities, props.total])
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

/** The question for those alone that can be drawn, and of them only what the drawing needs. */
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
