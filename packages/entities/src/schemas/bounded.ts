/**
 * Checks that cannot block. A harmless-looking schema may take hours over one value: a pattern may have several ways through
 * the same text, and references may fork. Such patterns are matched in one pass if possible; everything else of the kind runs
 * under a time limit.
 */
import { createContext, Script } from 'node:vm'
import type { JsonValue } from '@worldwright/client/protocol'
import { type LinearPattern, linearPattern } from './linear-pattern.ts'
import { subschemas } from './unsupported.ts'

/** Time limit for one value, in milliseconds. No legitimate value takes a hundredth of it. */
export const LIMIT_MS = 250
/** Attempts per value: a busy machine exceeds the limit as well, so a value is to blame only if it does so twice. */
const ATTEMPTS = 2

/** Keywords that check each item of a list against each branch and collect the errors of all. */
const FORKS = ['$ref', 'anyOf', 'oneOf', 'contains']

/** Reports whether some value may take more time than its length explains. False is certain, true is not. */
export function mayBlock(schema: JsonValue): boolean {
  for (const { node } of subschemas(schema, '')) {
    const { pattern, patternProperties, format } = node
    if (FORKS.some((keyword) => Object.hasOwn(node, keyword)) || format === 'regex') return true
    // Each value is compared with each of these objects.
    if (Array.isArray(node['enum']) && node['enum'].some((one) => typeof one === 'object')) return true
    if (typeof pattern === 'string' && !isBounded(pattern)) return true
    if (typeof patternProperties === 'object' && !Object.keys(patternProperties ?? {}).every(isBounded))
      return true
  }
  return false
}

/** Compiles a pattern to a matcher, one that takes a single pass if possible. @throws SyntaxError */
export function matcherOf(pattern: string): LinearPattern {
  return (isPlain(pattern) ? undefined : linearPattern(pattern)) ?? new RegExp(pattern, 'u')
}

/** Reports whether a valid pattern takes no more time than the length of a text explains. */
function isBounded(pattern: string): boolean {
  return isPlain(pattern) || linearPattern(pattern) !== undefined
}

/**
 * Runs the work under a time limit of `limitMs`, and once more if it was interrupted.
 * Returns undefined if both attempts were interrupted. It costs about 0.1 ms.
 */
export function withinLimit<T>(work: () => T, limitMs: number): T | undefined {
  let result: T | undefined
  room ??= { script: new Script('work()'), context: createContext({}) }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    room.context['work'] = () => {
      result = work()
    }
    try {
      room.script.runInContext(room.context, { timeout: limitMs })
      return result
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    } finally {
      room.context['work'] = undefined
    }
  }
  return undefined
}

/** Created for the first schema that needs it. It isolates nothing: it only provides the time limit. */
let room: { readonly script: Script; readonly context: ReturnType<typeof createContext> } | undefined

/**
 * Reports whether a pattern takes one pass over the text: it has a single starting point, no branches, and at most one
 * repetition of open length. A fixed count up to 99 is not a repetition.
 */
function isPlain(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\(?:[pPu]\{[^}]*\}|.)/gsu, 'x').replaceAll(/\[[^\]]*\]/gu, 'x')
  const repetitions = bare.replaceAll(/\{\d\d?\}/gu, '').match(/[*+?{]/gu) ?? []
  if (/[()|]/u.test(bare)) return false
  return repetitions.length === 0 || (repetitions.length === 1 && bare.startsWith('^'))
}
