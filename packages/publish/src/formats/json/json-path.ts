/** Paths to the records in a JSON document, such as `$.features[*]`: the subset of RFC 9535 that lists need. */
import { elementSpans, memberSpans, type Span, type SpanEnd, skipWhite } from '@worldwright/entities'

/** One step: a member's name, an element's number, or all members or elements. */
export type PathStep = string | number | typeof EVERY

/** All members of an object, or all elements of an array. */
export const EVERY = Symbol('every')

/** Parses a path into steps; undefined if it is not a path. A path to a list stands for its elements. */
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

/** A value that a path leads to: its offsets in the text, and its name in an object of many. */
export interface PathTarget {
  readonly start: number
  readonly end: number
  readonly key?: string
}

/**
 * Yields the values that a path leads to, in order. Stops at the end of the text or at a syntax error; only what lies on
 * the path is scanned.
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
  // A path to a list stands for its elements.
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
