/** Paths to the records in a JSON document, such as `$.features[*]`, in a subset of JSONPath (RFC 9535). */
import { elementSpans, memberSpans, type Span, type SpanEnd, skipWhite } from '@worldwright/entities'

/** A step of a path: a member name, an element index, or every member or element. */
export type PathStep = string | number | typeof EVERY

/** Step that selects all members of an object or all elements of an array. */
export const EVERY = Symbol('every')

/** Parses a path into steps, or returns undefined if it is invalid. A path to a list denotes its elements. */
export function parsePath(path: string): readonly PathStep[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: PathStep[] = []
  const STEP = /\.\*|\[\*\]|\.([^.[\]*'"\s]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/y
  for (STEP.lastIndex = 1; STEP.lastIndex < path.length; ) {
    const found = STEP.exec(path)
    if (found === null) return undefined
    const [, member, index, single, double] = found
    const name = member ?? single ?? double
    steps.push(name ?? (index === undefined ? EVERY : Number(index)))
  }
  return steps
}

/** A value at a path, with its offsets in the text, and its key if the last step selects every member of an object. */
export interface PathTarget {
  readonly start: number
  readonly end: number
  readonly key?: string
}

/**
 * Yields the values that match a path, in order, up to the end of the text or a syntax error. Only values on the path are
 * scanned.
 */
export function* pathTargets(text: string, steps: readonly PathStep[]): Generator<PathTarget, SpanEnd> {
  const start = skipWhite(text, 0)
  const first = text[start]
  if (first !== '{' && first !== '[') return { end: start, broken: true }
  return yield* targetsIn(text, { start, end: text.length }, steps)
}

function* targetsIn(
  text: string,
  value: PathTarget,
  [step, ...others]: readonly PathStep[],
): Generator<PathTarget, SpanEnd> {
  const isList = text[value.start] === '['
  const isObject = text[value.start] === '{'
  // A path to a list denotes its elements.
  if (step === undefined && isList) return yield* targetsIn(text, value, [EVERY])
  if (step === undefined) {
    yield value
    return { end: value.end, broken: false }
  }
  if (!isList && !isObject) return { end: value.end, broken: false }
  const parts = isList ? elementSpans(text, value.start) : memberSpans(text, value.start)
  let next = parts.next()
  for (let index = 0; !next.done; index++, next = parts.next()) {
    const { start, end, key }: Span & { readonly key?: string } = next.value
    if (step !== EVERY && step !== (key ?? index)) continue
    const inner = { start, end, ...(step === EVERY && key !== undefined && { key }) }
    if (others.length === 0 && step === EVERY) yield inner
    else {
      const ended = yield* targetsIn(text, inner, others)
      if (ended.broken) return ended
    }
  }
  return next.value
}
